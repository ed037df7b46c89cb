#include "dse/model/compute/roofline.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::model {
namespace {

/// Fraction of the sustained memory bandwidth. Matrix products and attention have their own models.
double memory_efficiency(const hardware::EfficiencySpec& efficiency, graph::OpClass op_class) {
    switch (op_class) {
        case graph::OpClass::gemm:
        case graph::OpClass::attention:
            return 1.0;
        case graph::OpClass::elementwise:
            return efficiency.elementwise;
        case graph::OpClass::normalization:
            return efficiency.normalization;
        case graph::OpClass::softmax:
            return efficiency.softmax;
        case graph::OpClass::embedding:
            return efficiency.embedding;
        case graph::OpClass::loss:
            return efficiency.cross_entropy;
        case graph::OpClass::optimizer:
            return efficiency.optimizer;
    }
    DSE_REQUIRE(false && "an operator class without an efficiency");
    return 1.0;
}

}  // namespace

Roofline::Roofline(const hardware::DeviceSpec& device, Seconds host_launch)
    : matmul_{device},
      attention_{device},
      vector_{device.peak.fp32},
      kernel_latency_{device.kernel_latency},
      host_launch_{host_launch} {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
        const auto op_class = static_cast<graph::OpClass>(i);
        memory_[i] = device.memory.sustained() * memory_efficiency(device.efficiency, op_class);
    }
}

Seconds Roofline::time(const graph::Compute& work) const {
    DSE_EXPECT(work.executed_flop >= Flop{} && work.read >= Bytes{} && work.written >= Bytes{});
    return std::max(on_device(work) + kernel_latency_ * work.kernels, host_launch_ * work.kernels);
}

Seconds Roofline::on_device(const graph::Compute& work) const {
    switch (work.op_class) {
        case graph::OpClass::gemm:
            return matmul_(work);
        case graph::OpClass::attention:
            return attention_(work);
        default:
            return streaming(work);
    }
}

Seconds Roofline::streaming(const graph::Compute& work) const {
    const Seconds memory = (work.read + work.written) / memory_[static_cast<std::size_t>(work.op_class)];
    // Without a vector rate in the datasheet, vector units are assumed to keep up with memory.
    if (!(vector_ > FlopPerSecond{})) return memory;
    // A lane multiplies and adds in each cycle: two FLOPs of the peak.
    const Seconds instructions = Flop{work.lane_cycles * 2.0} / vector_;
    return std::max(memory, work.executed_flop / vector_) + instructions;
}

}  // namespace dse::model
