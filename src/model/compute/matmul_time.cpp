#include "dse/model/compute/matmul_time.hpp"

#include <algorithm>
#include <cmath>

namespace dse::model {
namespace {

/// Four-bit products with block scales (NVFP4) attain 0.55 to 0.65 of a device's bandwidth and take
/// at least 8 us, where a cast and a product of small operands take 4 us: fitted to 1,620 products of at most
/// 256 rows on B200 and GB200 (AIConfigurator 095f58a, systems/data, TensorRT-LLM 1.3.0rc20 and vLLM 0.22.0).
/// Fused products of several experts come closer to the wider formats, and have the fixed part once per
/// layer.
constexpr double fp4_memory_share = 0.6;
constexpr Seconds fp4_fixed{4e-6};

/// A row of one element needs no alignment.
bool is_odd(double length) {
    return length > 1.0 && std::fmod(length, 2.0) == 1.0;
}

/// Whether it has one matrix, not those of several experts.
bool is_plain(const graph::Compute& work) {
    return work.gemm.batch <= 1.0;
}

}  // namespace

MatmulTime::MatmulTime(const hardware::DeviceSpec& device)
    : rates_{device},
      form_{device.matmul},
      memory_{device.memory.sustained() * device.matmul.memory_efficiency},
      plain_memory_{memory_ * device.matmul.plain_memory_efficiency},
      fp4_memory_{device.memory.sustained() * device.matmul.memory_efficiency * fp4_memory_share},
      vector_{device.peak.fp32},
      blend_{device.matmul.sharpness} {}

Seconds MatmulTime::operator()(const graph::Compute& work) const {
    const Seconds compute = work.executed_flop / (rates_[work.precision] * work.efficiency) *
                            shape_loss(work.gemm, work.precision);
    const bool fp4 = is_plain(work) && work.precision == graph::Precision::fp4;
    const BytesPerSecond rate = fp4 ? fp4_memory_ : is_plain(work) ? plain_memory_ : memory_;
    Seconds memory = (work.read + work.written) / rate;
    // Weights are widened as they arrive.
    if (work.lane_cycles > 0.0 && vector_ > FlopPerSecond{})
        memory = std::max(memory, Flop{work.lane_cycles * 2.0} / vector_);
    return Seconds{blend_(compute.value(), memory.value())} + (fp4 ? fp4_fixed : Seconds{});
}

double MatmulTime::shape_loss(const graph::GemmShape& shape, graph::Precision precision) const {
    const double own = shape.batch * shape.m * shape.n;
    if (own <= 0.0 || shape.k <= 0.0) return 1.0;
    const double outputs = std::max(own, form_.split_outputs);
    const auto loss = [&](double factor, double part) {
        return (1.0 + factor * part * form_.area / outputs) * (1.0 + factor * form_.depth / shape.k);
    };
    const Bytes element = graph::bytes_of(precision);
    if (element < Bytes{2}) return loss(form_.narrow_factor, 1.0);
    const double part = form_.split_depth > 0.0 ? std::min(1.0, form_.split_depth / shape.k) : 1.0;
    if (element > Bytes{2}) return loss(form_.wide_factor, part);
    const bool reads_elements = is_odd(shape.n) || is_odd(shape.k);
    return reads_elements ? loss(1.0, part) / form_.odd_rate : loss(1.0, part);
}

}  // namespace dse::model
