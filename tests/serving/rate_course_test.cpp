#include "serving/rate_course.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "dse/serving/draw_requests.hpp"
#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

using graph::Frequency;
using graph::Traffic;

Traffic traffic_at(double rate) {
    Traffic traffic;
    traffic.rate = Frequency{rate};
    return traffic;
}

/// From 2 to 6 requests a second within 10 s: 2 t + 0.2 t² have arrived by t, 40 at the end of the ramp.
TEST(RateCourse, ARampIsAParabola) {
    Traffic traffic = traffic_at(2.0);
    traffic.ramp_to = Frequency{6.0};
    traffic.ramp_time = Seconds{10.0};
    const RateCourse course{traffic};
    EXPECT_TRUE(course.changes());
    EXPECT_EQ(course.time_of(0.0), 0.0);
    EXPECT_SOFT_EQ(course.time_of(2.0 * 5.0 + 0.2 * 25.0), 5.0);
    EXPECT_SOFT_EQ(course.time_of(40.0), 10.0);
    EXPECT_SOFT_EQ(course.time_of(52.0), 12.0) << "6 a second from then on";
}

/// From 6 to 2: 6 t - 0.2 t².
TEST(RateCourse, ARampMayFall) {
    Traffic traffic = traffic_at(6.0);
    traffic.ramp_to = Frequency{2.0};
    traffic.ramp_time = Seconds{10.0};
    const RateCourse course{traffic};
    EXPECT_SOFT_EQ(course.time_of(6.0 * 5.0 - 0.2 * 25.0), 5.0);
    EXPECT_SOFT_EQ(course.time_of(44.0), 12.0);
}

/// By t, rate · (t - swing · day / 2π · sin(2π t / day)) requests have arrived: whole and half days have
/// their share, a quarter of a day lacks swing / 2π of it.
TEST(RateCourse, ADayHasAQuietHalf) {
    constexpr double day = 86400.0;
    for (const double swing : {0.0, 0.5, 0.9, 1.0}) {
        Traffic traffic = traffic_at(3.0);
        traffic.day = Seconds{day};
        traffic.day_swing = swing;
        const RateCourse course{traffic};
        EXPECT_NEAR(course.time_of(3.0 * day), day, 1e-3 * day * (swing == 1.0 ? 1.0 : 1e-6));
        EXPECT_SOFT_EQ(course.time_of(1.5 * day), 0.5 * day);
        const double by_quarter = 3.0 * day * (0.25 - swing / (2.0 * std::numbers::pi));
        EXPECT_NEAR(course.time_of(by_quarter), 0.25 * day, 1e-6 * day) << swing;
        double before = 0.0;
        for (int i = 1; i <= 1000; ++i) {
            const double time = course.time_of(0.006 * day * i);
            ASSERT_GT(time, before);
            before = time;
        }
    }
}

/// Equal gaps on the ramp above: request number n comes when 2 t + 0.2 t² is n.
/// A rate that swings faster than numbers can tell is its mean.
TEST(RateCourse, ADayMayBeShorterThanAnyGap) {
    Traffic traffic = traffic_at(3.0);
    for (const double day : {1e-17, 1e-320}) {
        traffic.day = Seconds{day};
        EXPECT_DOUBLE_EQ(RateCourse{traffic}.time_of(6.0), 2.0) << day;
    }
}

TEST(RateCourse, DrawnRequestsFollowIt) {
    Traffic traffic = traffic_at(2.0);
    traffic.arrivals = graph::Arrivals::fixed;
    traffic.requests = 41;
    const Requests steady = draw_requests(traffic, 1);
    EXPECT_EQ(steady.all[15].arrival, to_ticks(7.5));
    traffic.ramp_to = Frequency{6.0};
    traffic.ramp_time = Seconds{10.0};
    const Requests ramp = draw_requests(traffic, 1);
    EXPECT_EQ(ramp.all[0].arrival, 0);
    EXPECT_NEAR(to_seconds(ramp.all[15].arrival), 5.0, 1e-9);
    EXPECT_NEAR(to_seconds(ramp.all[40].arrival), 10.0, 1e-9);
    EXPECT_EQ(ramp.all[15].prompt, steady.all[15].prompt);
}

}  // namespace
}  // namespace dse::serving
