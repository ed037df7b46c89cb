#include "serving/rate_course.hpp"

#include <cmath>
#include <numbers>

#include "dse/base/check.hpp"

namespace dse::serving {

RateCourse::RateCourse(const graph::Traffic& traffic)
    : rate_{traffic.rate.value()},
      ramp_to_{traffic.ramp_to.value()},
      ramp_time_{ramp_to_ > 0.0 ? traffic.ramp_time.value() : 0.0},
      day_{traffic.day.value()},
      swing_{traffic.day_swing} {}

double RateCourse::time_of(double requests) const {
    DSE_EXPECT(rate_ > 0.0);
    if (ramp_time_ > 0.0) return on_ramp(requests);
    return day_ > 0.0 ? in_days(requests) : requests / rate_;
}

/// On the ramp, rate · t + change · t² / 2 requests have arrived by t.
double RateCourse::on_ramp(double requests) const {
    const double on_it = 0.5 * (rate_ + ramp_to_) * ramp_time_;
    if (requests >= on_it) return ramp_time_ + (requests - on_it) / ramp_to_;
    const double change = (ramp_to_ - rate_) / ramp_time_;
    // The form of the root that does not cancel where the change is small.
    return 2.0 * requests / (rate_ + std::sqrt(rate_ * rate_ + 2.0 * change * requests));
}

/// rate · (1 - swing · cos u), u = 2π t / day, adds up to rate · day / 2π · (u - swing · sin u): Kepler's
/// equation for u, whose solution lies within `swing` of the mean angle.
double RateCourse::in_days(double requests) const {
    const double per_day = 2.0 * std::numbers::pi / day_;
    const double mean = requests / rate_ * per_day;
    // An angle this large has no digits that tell where in a day it is: all of them are as good as the mean.
    constexpr double largest_angle = 1e15;
    if (!(mean < largest_angle)) return requests / rate_;
    double low = mean - swing_;
    double high = mean + swing_;
    double angle = mean;
    constexpr int most_steps = 64;
    for (int i = 0; i < most_steps; ++i) {
        const double excess = angle - swing_ * std::sin(angle) - mean;
        (excess > 0.0 ? high : low) = angle;
        const double slope = 1.0 - swing_ * std::cos(angle);
        double next = slope > 0.0 ? angle - excess / slope : low;
        // Newton's step may leave the bracket where the rate is nearly 0.
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == angle) break;
        angle = next;
    }
    return angle / per_day;
}

}  // namespace dse::serving
