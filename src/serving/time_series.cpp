#include "dse/serving/time_series.hpp"

#include <algorithm>
#include <limits>

namespace dse::serving {

TimeSeries::Bin& TimeSeries::Bin::operator+=(const Bin& other) {
    waiting += other.waiting;
    running += other.running;
    cache_use += other.cache_use;
    first_token += other.first_token;
    arrived += other.arrived;
    answered += other.answered;
    return *this;
}

/// Doubles the intervals until the last one contains `time`.
void TimeSeries::make_room(Ticks time) {
    while (static_cast<std::size_t>(time >> width_bits_) >= bins_.size()) {
        for (std::size_t i = 0; i < bins_.size() / 2; ++i) {
            Bin both = bins_[2 * i];
            both += bins_[2 * i + 1];
            bins_[i] = both;
        }
        std::fill(bins_.begin() + static_cast<std::ptrdiff_t>(bins_.size() / 2), bins_.end(), Bin{});
        ++width_bits_;
    }
}

void TimeSeries::spent(Ticks start, Ticks duration, const State& state) {
    const Ticks end = start + duration;
    make_room(end);
    for (Ticks from = start; from < end;) {
        const Ticks to = std::min(end, ((from >> width_bits_) + 1) << width_bits_);
        const double seconds = to_seconds(to - from);
        bin_at(from) += {seconds * static_cast<double>(state.waiting),
                         seconds * static_cast<double>(state.running), seconds * state.cache_use};
        from = to;
    }
}

void TimeSeries::answered(Ticks arrival, Ticks first_token, Ticks last_token) {
    make_room(last_token);
    Bin& arrived = bin_at(arrival);
    ++arrived.arrived;
    arrived.first_token += to_seconds(first_token - arrival);
    ++bin_at(last_token).answered;
}

std::vector<TimeSeries::Interval> TimeSeries::intervals(Ticks end, std::int64_t replicas) const {
    std::vector<Interval> result;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        const Ticks start = static_cast<Ticks>(i) << width_bits_;
        if (start > end) break;
        const Bin& bin = bins_[i];
        // The last interval is as long as the others: nothing happens after the end.
        const double seconds = to_seconds(Ticks{1} << width_bits_);
        const double first = bin.arrived > 0 ? bin.first_token / static_cast<double>(bin.arrived)
                                             : std::numeric_limits<double>::quiet_NaN();
        result.push_back({to_seconds(start), seconds, bin.waiting / seconds, bin.running / seconds,
                          bin.cache_use / seconds / static_cast<double>(replicas), bin.arrived, bin.answered,
                          first});
    }
    return result;
}

}  // namespace dse::serving
