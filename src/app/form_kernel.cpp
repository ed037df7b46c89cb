#include "app/form_kernel.hpp"

#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "dse/model/compute/rates.hpp"

namespace dse::app {
namespace {

using graph::Precision;
using model::Kernel;
using model::KernelKind;
using model::OperandFormat;

/// Nothing if activations and weights have different formats.
std::optional<Precision> precision_of(OperandFormat format) {
    switch (format) {
        case OperandFormat::bf16:
            return Precision::bf16;
        case OperandFormat::fp8:
        case OperandFormat::fp8_block:
            return Precision::fp8;
        case OperandFormat::nvfp4:
            return Precision::fp4;
        case OperandFormat::int8:
            return Precision::int8;
        default:
            return std::nullopt;
    }
}

/// Nothing if the device has no rate for it either. Formats of 16 bits are bf16 here; older devices have fp16
/// alone.
std::optional<Precision> precision_on(const hardware::DeviceSpec& device, OperandFormat format) {
    const auto has = [&](Precision precision) {
        return model::reference_rate(device.peak, precision) > FlopPerSecond{};
    };
    const std::optional<Precision> precision = precision_of(format);
    if (precision && has(*precision)) return precision;
    if (precision == Precision::bf16 && has(Precision::fp16)) return Precision::fp16;
    return std::nullopt;
}

template <class Choice>
std::string_view name_of(Choice choice) {
    return model::choice_names(Choice{})[static_cast<std::size_t>(choice)];
}

constexpr double wide_bytes = 2.0;

graph::Compute product_of(const Kernel& kernel, Precision precision) {
    graph::Compute work;
    work.op_class = graph::OpClass::gemm;
    work.precision = precision;
    work.gemm = {1.0, kernel.m, kernel.n, kernel.k};
    work.executed_flop = Flop{2.0 * kernel.m * kernel.n * kernel.k};
    work.read = graph::bytes_of(precision) * (kernel.k * (kernel.m + kernel.n));
    work.written = Bytes{wide_bytes * kernel.m * kernel.n};
    return work;
}

/// Causal attention of the last `queries` tokens to `keys` tokens.
graph::Compute attention_of(const Kernel& kernel, Precision precision) {
    graph::Compute work;
    work.op_class = graph::OpClass::attention;
    work.precision = precision;
    work.gemm = {kernel.batch * kernel.heads, kernel.queries, kernel.keys, kernel.head_dim};
    const double pairs = kernel.queries * (kernel.keys - 0.5 * (kernel.queries - 1.0));
    work.executed_flop = Flop{4.0 * kernel.batch * kernel.heads * pairs * kernel.head_dim};
    const double queries = kernel.batch * kernel.queries * kernel.heads * kernel.head_dim;
    const double cache = 2.0 * kernel.batch * kernel.keys * kernel.kv_heads * kernel.head_dim;
    work.read = Bytes{wide_bytes * queries + (kernel.narrow_cache ? 1.0 : wide_bytes) * cache};
    work.written = Bytes{wide_bytes * queries};
    return work;
}

}  // namespace

std::string FormKernels::missing(const Kernel& kernel) const {
    const bool multiplies = kernel.kind == KernelKind::gemm;
    if (!multiplies && kernel.kind != KernelKind::prefill && kernel.kind != KernelKind::decode)
        return fmt::format("operator {} has no form", name_of(kernel.kind));
    if (!multiplies && kernel.window > 0.0) return "attention with a window has no form";
    if (!precision_of(kernel.format)) return "weights in fewer bits than activations have no form";
    if (precision_on(device_, kernel.format)) return "";
    return fmt::format("the device has no matrix units for {}", name_of(kernel.format));
}

std::optional<Seconds> FormKernels::time(const Kernel& kernel) const {
    if (!missing(kernel).empty()) return std::nullopt;
    const Precision precision = *precision_on(device_, kernel.format);
    return roofline_.time(kernel.kind == KernelKind::gemm ? product_of(kernel, precision)
                                                          : attention_of(kernel, precision));
}

Seconds FormKernels::time(const VectorKernel& kernel) const {
    const double elements =
        std::accumulate(kernel.shape.begin(), kernel.shape.end(), 1.0, std::multiplies<double>{});
    graph::Compute work;
    work.op_class = graph::OpClass::elementwise;
    work.executed_flop = Flop{elements};
    work.read = Bytes{wide_bytes * elements * kernel.operands};
    work.written = Bytes{wide_bytes * elements};
    return roofline_.time(work);
}

}  // namespace dse::app
