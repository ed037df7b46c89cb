#include "dse/results/interval_set.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::results {

IntervalSet::IntervalSet(std::vector<Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.first < b.first; });
    for (const Interval& interval : intervals) {
        DSE_EXPECT(interval.first <= interval.last);
        if (interval.count() == 0) continue;
        if (!intervals_.empty() && interval.first <= intervals_.back().last) {
            intervals_.back().last = std::max(intervals_.back().last, interval.last);
        } else {
            intervals_.push_back(interval);
        }
    }
}

void IntervalSet::insert(Interval interval) {
    DSE_EXPECT(interval.first <= interval.last);
    if (interval.count() == 0) return;
    const auto begin =
        std::lower_bound(intervals_.begin(), intervals_.end(), interval.first,
                         [](const Interval& i, std::uint64_t first) { return i.last < first; });
    auto end = begin;
    for (; end != intervals_.end() && end->first <= interval.last; ++end) {
        interval.first = std::min(interval.first, end->first);
        interval.last = std::max(interval.last, end->last);
    }
    intervals_.insert(intervals_.erase(begin, end), interval);
}

bool IntervalSet::contains(std::uint64_t index) const {
    const auto after =
        std::upper_bound(intervals_.begin(), intervals_.end(), index,
                         [](std::uint64_t i, const Interval& interval) { return i < interval.first; });
    return after != intervals_.begin() && index < std::prev(after)->last;
}

std::uint64_t IntervalSet::count() const {
    std::uint64_t sum = 0;
    for (const Interval& interval : intervals_) sum += interval.count();
    return sum;
}

IntervalSet IntervalSet::gaps(std::uint64_t size) const {
    IntervalSet result;
    std::uint64_t next = 0;
    for (const Interval& interval : intervals_) {
        if (interval.first >= size) break;
        if (interval.first > next) result.intervals_.push_back({next, interval.first});
        next = interval.last;
    }
    if (next < size) result.intervals_.push_back({next, size});
    return result;
}

}  // namespace dse::results
