#include "dse/model/compute/attention_time.hpp"

#include <algorithm>

namespace dse::model {
namespace {

constexpr double usual_head_dim = 128.0;
/// Elements of the vector that latent attention caches for all heads (DeepSeek's kv_lora_rank): no other
/// attention has keys as wide.
constexpr double latent_dim = 512.0;

/// Whether 17 to 32 heads attend to cached vectors of latent attention, each with one query.
bool is_latent_of_32(const graph::GemmShape& shape) {
    return is_latent(shape) && shape.m > 16.0 && shape.m <= 32.0;
}

/// Devices without a rate for attention in eight bits run it in 16.
graph::Precision wide(graph::Precision precision) {
    return precision == graph::Precision::fp8 ? graph::Precision::bf16 : precision;
}

}  // namespace

bool is_latent(const graph::GemmShape& shape) {
    return shape.k >= latent_dim;
}

AttentionTime::AttentionTime(const hardware::DeviceSpec& device)
    : rates_{device}, form_{device.attention}, memory_{device.memory.sustained()} {}

Seconds AttentionTime::operator()(const graph::Compute& work) const {
    const bool in_fp8 = work.precision == graph::Precision::fp8 && form_.fp8_rate > 0.0;
    const FlopPerSecond rate = in_fp8 ? rates_[graph::Precision::bf16] * fp8_share(work.gemm)
                                      : rates_[wide(work.precision)] * share(work.gemm);
    const Seconds compute = work.executed_flop / (rate * work.efficiency);
    const double read_rate = is_latent_of_32(work.gemm) ? form_.latent_rate_32 : 1.0;
    const Seconds memory = (work.read + work.written) / (memory_ * read_rate);
    const bool is_cached = work.gemm.m == 1.0;
    return std::max(compute, memory) + (is_cached ? form_.cache_latency : Seconds{});
}

double AttentionTime::share(const graph::GemmShape& shape) const {
    const double head_dim = shape.k;
    const double keys = shape.n;
    if (head_dim <= 0.0 || keys <= 0.0) return form_.efficiency;
    const double by_head =
        head_dim * (1.0 + form_.head_dim_half / usual_head_dim) / (head_dim + form_.head_dim_half);
    const double by_length = keys / (keys + form_.sequence_half);
    return std::min(1.0, form_.efficiency * by_head * by_length);
}

double AttentionTime::fp8_share(const graph::GemmShape& shape) const {
    if (shape.k <= 0.0) return form_.efficiency * form_.fp8_rate;
    const graph::GemmShape usual{shape.batch, shape.m, shape.n, usual_head_dim};
    return std::min(2.0, share(usual) * form_.fp8_rate * shape.k / usual_head_dim);
}

}  // namespace dse::model
