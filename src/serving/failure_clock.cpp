#include "serving/failure_clock.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::serving {

FailureClock::FailureClock(NextFailure next_failure, Ticks repair_time, std::size_t replicas)
    : next_failure_{std::move(next_failure)},
      repair_time_{repair_time},
      up_from_(replicas),
      fails_at_(replicas, never) {
    for (std::size_t i = 0; next_failure_ && i < replicas; ++i) fails_at_[i] = next_failure_(i, 0);
}

FailureClock::Failure FailureClock::next() const {
    const auto first = std::ranges::min_element(fails_at_);
    return {*first, static_cast<std::size_t>(first - fails_at_.begin())};
}

void FailureClock::pass() {
    // Replicas that never live long enough to answer a request would fail forever.
    constexpr std::int64_t most = 1'000'000;
    if (++passed_ > most)
        throw ModelError(
            fmt::format("replicas failed {} times before all requests were answered: "
                        "failure_interval is too short for these requests",
                        most));
    const auto [time, replica] = next();
    up_from_[replica] = time + repair_time_;
    down_ += repair_time_;
    fails_at_[replica] = next_failure_(replica, up_from_[replica]);
}

double FailureClock::availability(Ticks end) const {
    if (end == 0) return 1.0;
    Ticks down = down_;
    // Repairs that outlast the run.
    for (const Ticks up : up_from_) down -= std::min(repair_time_, std::max<Ticks>(0, up - end));
    return 1.0 - to_seconds(down) / (to_seconds(end) * static_cast<double>(up_from_.size()));
}

}  // namespace dse::serving
