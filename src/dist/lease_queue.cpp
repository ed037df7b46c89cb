#include "dse/dist/lease_queue.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::dist {

LeaseQueue::LeaseQueue(std::uint64_t size, const results::IntervalSet& covered) {
    const results::IntervalSet gaps = covered.gaps(size);
    for (const results::Interval& gap : gaps.intervals()) {
        ranges_.push_back({gap.first, gap.count()});
        remaining_ += gap.count();
    }
}

std::optional<Range> LeaseQueue::next(std::uint64_t count) {
    DSE_EXPECT(count >= 1);
    if (ranges_.empty()) return std::nullopt;
    Range& front = ranges_.front();
    const Range lease{front.first, std::min(count, front.count)};
    front.first += lease.count;
    front.count -= lease.count;
    if (front.count == 0) ranges_.pop_front();
    remaining_ -= lease.count;
    return lease;
}

void LeaseQueue::append(std::uint64_t index) {
    if (!ranges_.empty() && ranges_.back().first + ranges_.back().count == index) {
        ++ranges_.back().count;
    } else {
        ranges_.push_back({index, 1});
    }
    ++remaining_;
}

void LeaseQueue::give_back(const Range& range) {
    if (range.count == 0) return;
    ranges_.push_front(range);
    remaining_ += range.count;
}

void LeaseQueue::postpone(const Range& range) {
    if (range.count == 0) return;
    ranges_.push_back(range);
    remaining_ += range.count;
}

std::uint64_t LeaseSizing::size(std::uint64_t remaining, std::uint64_t workers, double rate) const {
    const std::uint64_t share = remaining / (2 * workers);
    const double by_time = rate > 0.0 ? rate * target_seconds : static_cast<double>(first);
    const double bounded = std::min({by_time, static_cast<double>(share), static_cast<double>(most)});
    return std::max(static_cast<std::uint64_t>(bounded), least);
}

}  // namespace dse::dist
