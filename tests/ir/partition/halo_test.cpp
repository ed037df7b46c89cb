#include "ir/partition/halo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::ir::partition {
namespace {

using testing::ElementsAre;
using testing::Pair;

// 16 elements in four parts; of them [1, 13) in four parts of three: the last wants two of its neighbour's.
TEST(HaloSteps, SendAsFarAsAnyoneWants) {
    const auto steps = halo_steps(16, {{1, 4}, {4, 7}, {7, 10}, {10, 13}});
    ASSERT_TRUE(steps.has_value());
    ASSERT_EQ(steps->size(), 1U);
    EXPECT_EQ((*steps)[0].size, 2);
    EXPECT_THAT((*steps)[0].pairs, ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 3)));
}

// The same, with two elements of padding on either side: five each, one of a neighbour's at each end.
TEST(HaloSteps, SendBothWaysWhereBothEndsGrow) {
    const auto steps = halo_steps(16, {{-2, 3}, {3, 8}, {8, 13}, {13, 18}});
    ASSERT_TRUE(steps.has_value());
    ASSERT_EQ(steps->size(), 2U);
    EXPECT_EQ((*steps)[0].size, 1);
    EXPECT_THAT((*steps)[0].pairs, ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 3)));
    EXPECT_EQ((*steps)[1].size, 1);
    EXPECT_THAT((*steps)[1].pairs, ElementsAre(Pair(1, 0), Pair(2, 1), Pair(3, 2)));
}

TEST(HaloSteps, AreNoneWhereEachHasWhatItWants) {
    const auto steps = halo_steps(16, {{0, 4}, {4, 8}, {8, 12}, {12, 16}});
    ASSERT_TRUE(steps.has_value());
    EXPECT_TRUE(steps->empty());
}

// The second half, in four parts of two: it comes from two parts alone, from each to two others in turn.
TEST(HaloSteps, PairWhatIsFarAway) {
    const auto steps = halo_steps(16, {{8, 10}, {10, 12}, {12, 14}, {14, 16}});
    ASSERT_TRUE(steps.has_value());
    ASSERT_EQ(steps->size(), 2U);
    EXPECT_THAT((*steps)[0].pairs, ElementsAre(Pair(2, 0), Pair(3, 2)));
    EXPECT_THAT((*steps)[1].pairs, ElementsAre(Pair(2, 1)));
    EXPECT_EQ((*steps)[0].size, 2);
    EXPECT_EQ((*steps)[1].size, 2);
}

// Each wants six elements on either side of its four: as much as there is.
TEST(HaloSteps, GiveWayToGathering) {
    EXPECT_FALSE(halo_steps(16, {{-6, 10}, {-2, 14}, {2, 18}, {6, 22}}).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
