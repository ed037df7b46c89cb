#include "dse/serving/time_series.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

/// Two seconds with three waiting, then two with one: over 1,024 intervals of 2^-8 s.
TEST(TimeSeries, MeansOfIntervals) {
    TimeSeries series;
    series.spent(0, to_ticks(2), {3, 5, 0.5});
    series.spent(to_ticks(2), to_ticks(1.999), {1, 4, 1.0});
    const auto intervals = series.intervals(to_ticks(3.999), 2);
    ASSERT_EQ(intervals.size(), 1024U);
    EXPECT_EQ(intervals[1].start, 1.0 / 256.0);
    EXPECT_SOFT_EQ(intervals[0].waiting, 3.0);
    EXPECT_SOFT_EQ(intervals[511].running, 5.0);
    EXPECT_SOFT_EQ(intervals[511].cache_use, 0.25) << "of two replicas";
    EXPECT_SOFT_EQ(intervals[512].waiting, 1.0);
    EXPECT_SOFT_EQ(intervals[512].running, 4.0);
}

/// A step across an interval's end counts in both; replicas add up.
TEST(TimeSeries, StepsAreDividedAndReplicasAdded) {
    TimeSeries series;
    series.spent(to_ticks(900), to_ticks(100), {0, 2, 0.0});  // intervals of a second
    series.spent(to_ticks(10.5), to_ticks(1), {4, 0, 0.0});
    series.spent(to_ticks(10), to_ticks(1), {1, 0, 0.0});
    const auto intervals = series.intervals(to_ticks(1000), 2);
    ASSERT_EQ(intervals[0].duration, 1.0);
    EXPECT_SOFT_EQ(intervals[10].waiting, 2.0 + 1.0);
    EXPECT_SOFT_EQ(intervals[11].waiting, 2.0);
    EXPECT_EQ(intervals[12].waiting, 0.0);
}

TEST(TimeSeries, CountsRequests) {
    TimeSeries series;
    series.answered(to_ticks(1.25), to_ticks(2.25), to_ticks(1000));
    series.answered(to_ticks(1.5), to_ticks(4.5), to_ticks(4.75));
    const auto intervals = series.intervals(to_ticks(1000), 1);
    EXPECT_EQ(intervals[1].arrived, 2);
    EXPECT_SOFT_EQ(intervals[1].first_token, 2.0);
    EXPECT_TRUE(std::isnan(intervals[2].first_token));
    EXPECT_EQ(intervals[4].answered, 1);
    EXPECT_EQ(intervals[1000].answered, 1);
}

}  // namespace
}  // namespace dse::serving
