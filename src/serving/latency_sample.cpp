#include "dse/serving/latency_sample.hpp"

namespace dse::serving {

void LatencySample::add(double seconds) {
    if (counted_) return counted_->add(to_ticks(seconds), 1);
    values_.push_back(seconds);
    if (values_.size() > most_exact) count_all();
}

void LatencySample::count_all() {
    counted_.emplace();
    for (const double value : values_) counted_->add(to_ticks(value), 1);
    values_ = {};
}

Statistics LatencySample::statistics() {
    if (!counted_) return serving::statistics(values_);
    Statistics result;
    result[0] = counted_->mean();
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = counted_->percentile(shares[i]);
    return result;
}

}  // namespace dse::serving
