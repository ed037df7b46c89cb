#include "ir/partition/halo_ranges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using testing::ElementsAre;
using testing::Pair;

// Rows stay, columns are sliced.
TEST(ExchangesHalo, WhereASlicedDimensionIsCut) {
    FactorRule rule;
    rule.add(8);
    rule.add(6, FactorRule::Kind::permutation);
    rule.operands = {{{0}, {1}}};
    rule.results = {{{0}, {1}}};
    EXPECT_TRUE(exchanges_halo(rule, {{}, {data}}, 1));
    EXPECT_FALSE(exchanges_halo(rule, {{data}, {}}, 0)) << "each row is alone";
    EXPECT_FALSE(exchanges_halo(rule, {{data}, {}}, 1)) << "the columns lie whole";
    EXPECT_FALSE(exchanges_halo(rule, {{}, {data}}, 2)) << "there is none";
}

// Every second element from 1 on, six of them, in three parts: 1 and 3, 5 and 7, 9 and 11.
TEST(WantedRanges, OfStridedSlices) {
    const Attribute slice = SliceRanges{{0, 1}, {4, 12}, {1, 2}};
    EXPECT_THAT(wanted_ranges(slice, 1, 6, 3), ElementsAre(Pair(1, 4), Pair(5, 8), Pair(9, 12)));
}

// Five elements in four parts of two: the third has one of padding, and the fourth nothing.
TEST(WantedRanges, OfPartsWithoutAnythingAreEmpty) {
    const Attribute slice = SliceRanges{{0}, {5}, {1}};
    EXPECT_THAT(wanted_ranges(slice, 0, 5, 4), ElementsAre(Pair(0, 2), Pair(2, 4), Pair(4, 6), Pair(6, 6)));
}

TEST(WantedRanges, OfPaddingBeginBeforeTheArray) {
    EXPECT_THAT(wanted_ranges(PadSizes{{2}, {2}, {0}}, 0, 20, 4),
                ElementsAre(Pair(-2, 3), Pair(3, 8), Pair(8, 13), Pair(13, 18)));
}

// A zero before each of 16 elements: 32, in four parts of 8, each made of 4 elements of its own.
TEST(WantedRanges, OfPaddingBetweenElementsAreWhatStandsInThePart) {
    EXPECT_THAT(wanted_ranges(PadSizes{{1}, {0}, {1}}, 0, 32, 4),
                ElementsAre(Pair(0, 4), Pair(4, 8), Pair(8, 12), Pair(12, 16)));
    // Two zeros between elements: 0, 3, 6 | 9, 12, 15 | 18, 21 of 24 places in three parts of 8.
    EXPECT_THAT(wanted_ranges(PadSizes{{0}, {2}, {2}}, 0, 24, 3),
                ElementsAre(Pair(0, 3), Pair(3, 6), Pair(6, 8)));
}

TEST(WithoutHalo, LeavesTheOtherDimensionsAlone) {
    const Attribute slice = without_halo(SliceRanges{{1, 1}, {4, 12}, {1, 2}}, 1);
    EXPECT_THAT(std::get<SliceRanges>(slice).starts, ElementsAre(1, 0));
    EXPECT_THAT(std::get<SliceRanges>(slice).limits, ElementsAre(4, 11));
    const Attribute pad = without_halo(PadSizes{{2, 1}, {2, 1}, {0, 0}}, 0);
    EXPECT_THAT(std::get<PadSizes>(pad).low, ElementsAre(0, 1));
    EXPECT_THAT(std::get<PadSizes>(pad).high, ElementsAre(0, 1));
}

}  // namespace
}  // namespace dse::ir::partition
