#include "explore/proven_front.hpp"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace dse::explore {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
using Costs = std::array<double, 2>;

TEST(ProvenFront, MeasuresByHowMuchAnAnswerIsBehindABound) {
    EXPECT_DOUBLE_EQ(excess(Costs{1.5, 2.0}, Costs{1.0, 2.0}), 0.5);
    EXPECT_EQ(excess(Costs{0.5, 2.0}, Costs{1.0, 3.0}), 0.0);
    // Of what is to be large, 80 instead of 100 is 25 % too little.
    EXPECT_DOUBLE_EQ(excess(Costs{-80.0, 0.0}, Costs{-100.0, 0.0}), 0.25);
    EXPECT_EQ(excess(Costs{1.0, 1.0}, Costs{-unbounded, 1.0}), unbounded);
    EXPECT_EQ(excess(Costs{1.0, 1.0}, Costs{0.0, 1.0}), unbounded);
}

TEST(ProvenFront, CoversWhatCannotBeBetter) {
    EXPECT_TRUE(covers(Costs{1.0, 1.0}, Costs{1.0, 2.0}, 0.0));
    // Equal answers may both be on the front.
    EXPECT_FALSE(covers(Costs{1.0, 1.0}, Costs{1.0, 1.0}, 0.0));
    EXPECT_TRUE(covers(Costs{1.0, 1.0}, Costs{1.0, 1.0}, 0.01));
    EXPECT_TRUE(covers(Costs{1.0, -80.0}, Costs{0.9, -95.0}, 0.2));
    EXPECT_FALSE(covers(Costs{1.0, -80.0}, Costs{0.9, -97.0}, 0.2));
    EXPECT_FALSE(covers(Costs{1.0, 1.0}, Costs{-unbounded, 1.0}, 0.2));
}

TEST(ProvenFront, KeepsEqualAnswersAndDropsWorseOnes) {
    ProvenFront front;
    front.admit(0, {2.0, 2.0});
    front.admit(1, {1.0, 3.0});
    front.admit(2, {1.0, 3.0});
    front.admit(3, {3.0, 3.0});
    EXPECT_EQ(front.members().size(), 3U);
    front.admit(4, {1.0, 1.0});
    ASSERT_EQ(front.members().size(), 1U);
    EXPECT_EQ(front.cover(Costs{1.0, 1.5}, 0.0), 4U);
    EXPECT_EQ(front.cover(Costs{0.5, 1.5}, 0.0), std::nullopt);
    EXPECT_EQ(front.gap(Costs{0.5, 1.0}), 1.0);
}

}  // namespace
}  // namespace dse::explore
