#include "dist/leaseholder.hpp"

#include <algorithm>
#include <utility>

namespace dse::dist {

void Leaseholder::lease(const Range& range) {
    leases_.push_back(range);
    ++waiting_;
}

void Leaseholder::evaluated(const Range& range, double busy_seconds) {
    if (waiting_ > 0) --waiting_;
    constexpr double shortest = 1e-6;  // the clock may not have advanced
    const double measured = static_cast<double>(range.count) / std::max(busy_seconds, shortest);
    rate_ = rate_ == 0.0 ? measured : 0.5 * (rate_ + measured);
}

void Leaseholder::committed(const Range& range) {
    const std::uint64_t end = range.first + range.count;
    for (std::uint64_t next = range.first; next < end && !leases_.empty();) {
        Range& front = leases_.front();
        if (front.first < next || front.first >= end) return;
        next = front.first;
        const std::uint64_t part = std::min(front.count, end - next);
        front.first += part;
        front.count -= part;
        next += part;
        if (front.count == 0) leases_.erase(leases_.begin());
    }
}

void Leaseholder::heard() {
    last_heard_ = Clock::now();
    lost_ = false;
}

bool Leaseholder::silent_for(Clock::duration limit) const {
    return Clock::now() - last_heard_ > limit;
}

std::vector<Range> Leaseholder::lose() {
    lost_ = true;
    waiting_ = 0;
    return std::exchange(leases_, {});
}

}  // namespace dse::dist
