#include "dse/model/compute/attention_time.hpp"

#include <algorithm>

namespace dse::model {

AttentionTime::AttentionTime(const hardware::DeviceSpec& device)
    : rates_{device}, form_{device.attention}, memory_{device.memory.sustained()} {}

Seconds AttentionTime::operator()(const graph::Compute& work) const {
    const Seconds compute =
        work.executed_flop / (rates_[work.precision] * (share(work.gemm) * work.efficiency));
    const Seconds memory = (work.read + work.written) / memory_;
    const bool is_cached = work.gemm.m == 1.0;
    return std::max(compute, memory) + (is_cached ? form_.cache_latency : Seconds{});
}

double AttentionTime::share(const graph::GemmShape& shape) const {
    const double head_dim = shape.k;
    const double keys = shape.n;
    if (head_dim <= 0.0 || keys <= 0.0) return form_.efficiency;
    constexpr double usual_head_dim = 128.0;
    const double by_head =
        head_dim * (1.0 + form_.head_dim_half / usual_head_dim) / (head_dim + form_.head_dim_half);
    const double by_length = keys / (keys + form_.sequence_half);
    return std::min(1.0, form_.efficiency * by_head * by_length);
}

}  // namespace dse::model
