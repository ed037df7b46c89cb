#include "dse/sim/fold/task_log.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/sim/fold/left_out.hpp"

namespace dse::sim::fold {

void TaskLog::reset(std::size_t stages, std::size_t most_inputs) {
    stride_ = most_inputs;
    if (times_.size() < stages) {
        times_.resize(stages);
        rates_.resize(stages);
    }
    used_.assign(stages, 0);
}

void TaskLog::add(std::uint32_t stage, const double* times, const double* rates, std::size_t count) {
    add(stage, times, count);
    if (rates_[stage].size() < used_[stage]) rates_[stage].resize(times_[stage].size());
    std::copy_n(rates, count, rates_[stage].data() + used_[stage] - stride_);
}

void TaskLog::grow_by(std::uint32_t stage, std::size_t tasks, std::span<const double> stream_rates,
                      double others) {
    DSE_EXPECT(tasks * stride_ <= used_[stage] && stream_rates.size() <= stride_);
    if (rates_[stage].size() < used_[stage]) rates_[stage].resize(times_[stage].size());
    double* const end = rates_[stage].data() + used_[stage];
    for (double* rates = end - tasks * stride_; rates != end; rates += stride_) {
        std::copy(stream_rates.begin(), stream_rates.end(), rates);
        std::fill(rates + stream_rates.size(), rates + stride_, others);
    }
}

void TaskLog::read(const SteadyRounds& steady, std::span<const Jump> jumps, std::uint32_t stage,
                   std::size_t position, std::span<double> inputs) const {
    const Played played = played_task(steady, jumps, stage, position);
    const std::size_t first = played.place * stride_;
    DSE_EXPECT(first + inputs.size() <= used_[stage]);
    std::copy_n(times_[stage].data() + first, inputs.size(), inputs.data());
    if (played.periods == 0) return;
    const double* const rates = rates_[stage].data() + first;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        inputs[i] += static_cast<double>(played.periods) * rates[i];
}

}  // namespace dse::sim::fold
