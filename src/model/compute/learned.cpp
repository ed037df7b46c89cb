#include "model/compute/learned.hpp"

#include <algorithm>
#include <optional>

#include "dse/base/error.hpp"
#include "dse/model/compute/rates.hpp"

namespace dse::model {
namespace {

/// Operand format of inference kernels, which the trees were trained on; nothing if they have no such format.
std::optional<OperandFormat> format_of(graph::Precision precision) {
    switch (precision) {
        case graph::Precision::bf16:
        case graph::Precision::fp16:
            return OperandFormat::bf16;
        case graph::Precision::fp8:
            return OperandFormat::fp8;
        case graph::Precision::fp4:
            return OperandFormat::nvfp4;
        case graph::Precision::int8:
            return OperandFormat::int8;
        default:
            return std::nullopt;
    }
}

/// Rate of a format in a step; 0 if the device lacks it. Kernels for fp16 run as those for bf16.
FlopPerSecond rate_in_step(const hardware::DeviceSpec& device, const MatmulRates& rates,
                           graph::Precision precision) {
    if (rate_of(device.peak, precision) > FlopPerSecond{}) return rates[precision];
    const bool as_bf16 = precision == graph::Precision::fp16 && device.peak.bf16 > FlopPerSecond{};
    return as_bf16 ? rates[graph::Precision::bf16] : FlopPerSecond{};
}

/// Whether weights are stored in fewer bits than the product multiplies, and widened: no such product was
/// measured in its format. It reads less than weights of this format would take.
bool widens(const graph::Compute& work) {
    const Bytes weights = graph::bytes_of(work.precision) * (work.gemm.n * work.gemm.k);
    return work.lane_cycles > 0.0 || (!work.of_experts && work.read < weights);
}

}  // namespace

Learned::Learned(const hardware::DeviceSpec& device, Seconds host_launch)
    : roofline_{device, Seconds{}},
      kernels_{device, device.learned},
      host_launch_{host_launch},
      memory_{device.memory.sustained()} {
    const MatmulRates rates{device};
    for (std::size_t i = 0; i < sustained_.size(); ++i)
        sustained_[i] = rate_in_step(device, rates, static_cast<graph::Precision>(i));
    if (!kernels_.time(Kernel{}))
        throw ModelError("nothing was learned of the device's products (its file names no 'learned')");
}

std::optional<Seconds> Learned::by_trees(const graph::Compute& work) const {
    const graph::GemmShape& shape = work.gemm;
    const auto format = format_of(work.precision);
    const bool single = work.op_class == graph::OpClass::gemm && shape.batch == 1.0 && work.kernels == 1.0;
    const FlopPerSecond sustained = sustained_[static_cast<std::size_t>(work.precision)];
    if (!single || widens(work) || !format || !(sustained > FlopPerSecond{})) return std::nullopt;
    Kernel kernel;
    kernel.format = *format;
    // TensorRT-LLM's products in nvfp4 were measured without its tuner, which engines run before they serve:
    // those with few outputs take twice as long as vLLM's.
    if (*format == OperandFormat::nvfp4) kernel.library = KernelLibrary::vllm;
    kernel.m = shape.m;
    kernel.n = shape.n;
    kernel.k = shape.k;
    const Seconds product = *kernels_.time(kernel) - kernels_.cast_time(kernel);
    return std::max({product, (work.read + work.written) / memory_, work.executed_flop / sustained});
}

Seconds Learned::time(const graph::Compute& work) const {
    const auto learned = by_trees(work);
    return std::max(learned ? *learned : roofline_.time(work), host_launch_ * work.kernels);
}

Account Learned::account(const graph::Compute& work) const {
    Account account;
    account.time = time(work);
    if (!by_trees(work)) account.remark = "no product that was learned: as the roofline";
    return account;
}

}  // namespace dse::model
