#include "serving/failure_clock.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::serving {
namespace {

/// Replica 0 fails 10 after it runs, replica 1 after 25; repairs take 5.
TEST(FailureClock, ReplicasFailAndRunAgain) {
    FailureClock clock{[](std::size_t replica, Ticks up) { return up + (replica == 0 ? 10 : 25); }, 5, 2};
    EXPECT_EQ(clock.next().time, 10);
    EXPECT_EQ(clock.next().replica, 0U);
    EXPECT_TRUE(clock.runs(0, 10));
    clock.pass();
    EXPECT_FALSE(clock.runs(0, 14));
    EXPECT_TRUE(clock.runs(0, 15));
    EXPECT_TRUE(clock.runs(1, 14));
    // At 25 both fail: the first replica, which has run since 15, comes first.
    EXPECT_EQ(clock.next().replica, 0U);
    clock.pass();
    EXPECT_EQ(clock.next().time, 25);
    EXPECT_EQ(clock.next().replica, 1U);
    clock.pass();
    EXPECT_EQ(clock.up_from(1), 30);
    EXPECT_EQ(clock.next().time, 40);
}

/// Two replicas, the first of which is down from 10 to 15 and from 25 on: 5 + 2 of 54 by 27.
TEST(FailureClock, RepairsCountUntilTheEnd) {
    FailureClock clock{[](std::size_t replica, Ticks up) { return replica == 0 ? up + 10 : never; }, 5, 2};
    EXPECT_EQ(clock.availability(27), 1.0);
    clock.pass();
    clock.pass();
    EXPECT_DOUBLE_EQ(clock.availability(27), 1.0 - 7.0 / 54.0);
    EXPECT_DOUBLE_EQ(clock.availability(100), 1.0 - 10.0 / 200.0);
    EXPECT_EQ(clock.availability(0), 1.0);
}

TEST(FailureClock, WithoutFailuresNothingHappens) {
    const FailureClock clock{{}, 5, 3};
    EXPECT_EQ(clock.next().time, never);
    EXPECT_TRUE(clock.runs(2, 0));
}

TEST(FailureClock, EndsRunsThatMakeNoProgress) {
    FailureClock clock{[](std::size_t /*replica*/, Ticks up) { return up + 1; }, 0, 1};
    EXPECT_THROW(for (int i = 0; i <= 1'000'000; ++i) clock.pass(), ModelError);
}

}  // namespace
}  // namespace dse::serving
