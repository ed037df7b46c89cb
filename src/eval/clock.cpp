#include "eval/clock.hpp"

#include <cmath>

#include "dse/base/check.hpp"
#include "dse/sim/durations.hpp"

namespace dse::eval {
namespace {

/// Number of complete ticks. Tolerates the rounding errors of one or two divisions.
double whole(double ticks) {
    constexpr double forgiven = 1e-15;
    return std::floor(ticks * (1.0 + forgiven));
}

}  // namespace

Clock::Clock(Seconds tick) : tick_{tick.value()} {
    DSE_EXPECT(tick_ >= 0.0);
    if (tick_ == 0.0) return;
    step_ = std::exp2(std::floor(std::log2(tick_)));
    unit_ = tick_ / step_;
    DSE_REQUIRE(step_ >= sim::time_quantum);
}

double Clock::operator()(Seconds time) const {
    if (tick_ == 0.0) return sim::quantise(time.value());
    return sim::quantise(whole(time.value() / tick_) * step_);
}

double Clock::part(double duration, double share) const {
    if (tick_ == 0.0) return sim::quantise(duration * share);
    return sim::quantise(whole(duration / step_ * share) * step_);
}

}  // namespace dse::eval
