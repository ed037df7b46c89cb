#include "dist/progress_meter.hpp"

#include <algorithm>
#include <limits>

#include "dist/seconds.hpp"

namespace dse::dist {
namespace {

constexpr std::chrono::seconds window{30};

}  // namespace

ProgressMeter::ProgressMeter(std::uint64_t total, std::uint64_t covered) : total_{total}, covered_{covered} {}

void ProgressMeter::sample() {
    const Clock::time_point now = Clock::now();
    samples_.push_back({now, tally_.indices});
    while (samples_.size() > 2 && now - samples_[1].time > window) samples_.pop_front();
}

Progress ProgressMeter::now() const {
    const Clock::time_point now = Clock::now();
    Progress progress;
    progress.total = total_;
    progress.covered = covered_;
    progress.tally = tally_;
    progress.seconds = seconds(now - begin_);
    const double elapsed = seconds(now - samples_.front().time);
    if (elapsed > 0.0)
        progress.rate = static_cast<double>(tally_.indices - samples_.front().indices) / elapsed;
    // Indices of a lost worker are evaluated twice, so the count may exceed the total.
    const std::uint64_t left = total_ - std::min(total_, covered_ + tally_.indices);
    progress.eta_seconds = progress.rate > 0.0 ? static_cast<double>(left) / progress.rate
                                               : std::numeric_limits<double>::quiet_NaN();
    return progress;
}

}  // namespace dse::dist
