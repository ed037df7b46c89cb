#include "dse/serving/pace.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

/// 10, 13, 16, 19: 58 in all.
TEST(Pace, AddsUpItsSteps) {
    const Pace pace{10, 3, 100};
    EXPECT_EQ(pace.duration(1), 10);
    EXPECT_EQ(pace.duration(4), 58);
    EXPECT_EQ(pace.steps_until(39, 100), 3);
    EXPECT_EQ(pace.steps_until(40, 100), 4);
    EXPECT_EQ(pace.steps_until(1'000'000, 7), 7) << "not reached";
    EXPECT_EQ(pace.steps_until(-5, 7), 1) << "passed already";
}

/// Steps of 1, 2, 3, 4 s take 10 s in all, and eight 36 s: half of them are enough.
TEST(Pace, TakesNoMoreStepsThanFit) {
    const Pace pace{to_ticks(1.0), to_ticks(1.0), never};
    EXPECT_EQ(pace.steps_within(10.0, 4), 4);
    EXPECT_EQ(pace.steps_within(11.0, 8), 4);
    EXPECT_EQ(pace.steps_within(0.5, 8), 1);
    EXPECT_EQ(Pace({to_ticks(longest_run), 0, never}).steps_within(longest_run, std::int64_t{1} << 40U), 1);
}

/// 10, 11, 12, … and 7, 9, 11, 13, 15: the second is ahead from the fifth step on.
TEST(Pace, IsThatOfTheSlower) {
    for (const auto& [a, b] :
         {std::pair{Pace{10, 1, 50}, Pace{7, 2, 60}}, {Pace{7, 2, 60}, Pace{10, 1, 50}}}) {
        const Pace slow = slower(a, b);
        EXPECT_EQ(slow.first, 10);
        EXPECT_EQ(slow.growth, 1);
        EXPECT_EQ(slow.most, 4) << "equal in the fourth";
    }
    EXPECT_EQ(slower({10, 1, 50}, {10, 2, 60}).growth, 2);
    EXPECT_EQ(slower({10, 2, 50}, {7, 2, 60}).most, 50) << "never caught up with";
}

}  // namespace
}  // namespace dse::serving
