#include "dse/results/interval_set.hpp"

#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::results {
namespace {

using testing::ElementsAre;

TEST(IntervalSet, JoinsWhatOverlapsOrTouches) {
    const IntervalSet set{{{8, 9}, {0, 3}, {3, 5}, {4, 6}, {7, 7}}};
    EXPECT_THAT(set.intervals(), ElementsAre(Interval{0, 6}, Interval{8, 9}));
    EXPECT_EQ(set.count(), 7U);
}

TEST(IntervalSet, LeavesGaps) {
    const IntervalSet set{{{2, 4}, {6, 20}}};
    EXPECT_THAT(set.gaps(10).intervals(), ElementsAre(Interval{0, 2}, Interval{4, 6}));
    EXPECT_THAT(set.gaps(25).intervals(), ElementsAre(Interval{0, 2}, Interval{4, 6}, Interval{20, 25}));
    EXPECT_THAT(IntervalSet{}.gaps(3).intervals(), ElementsAre(Interval{0, 3}));
    EXPECT_THAT(IntervalSet{}.gaps(0).intervals(), ElementsAre());
}

TEST(IntervalSet, IsASetOfIndices) {
    std::mt19937_64 random{11};
    std::uniform_int_distribution<std::uint64_t> place{0, 60};
    for (int round = 0; round < 200; ++round) {
        std::set<std::uint64_t> expected;
        IntervalSet grown;
        std::vector<Interval> all;
        for (int i = 0; i < 6; ++i) {
            const std::uint64_t first = place(random);
            const std::uint64_t last = first + place(random) / 6;
            for (std::uint64_t index = first; index < last; ++index) expected.insert(index);
            grown.insert({first, last});
            all.push_back({first, last});
        }
        EXPECT_EQ(grown.intervals(), IntervalSet{all}.intervals());
        EXPECT_EQ(grown.count(), expected.size());
        for (std::uint64_t index = 0; index < 80; ++index) {
            EXPECT_EQ(grown.contains(index), expected.contains(index)) << index;
            EXPECT_NE(grown.contains(index), grown.gaps(80).contains(index)) << index;
        }
    }
}

}  // namespace
}  // namespace dse::results
