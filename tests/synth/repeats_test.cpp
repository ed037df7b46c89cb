#include "synth/repeats.hpp"

#include <string_view>

#include <gtest/gtest.h>

namespace dse::synth {
namespace {

Folded folded(std::string_view text) {
    const std::vector<std::uint64_t> symbols{text.begin(), text.end()};
    return fold_repeats(symbols);
}

TEST(Repeats, WhatStandsOnceStays) {
    const Folded fold = folded("abcde");
    EXPECT_EQ(fold.left, 5U);
    EXPECT_EQ(fold.times, (std::vector<std::int64_t>{1, 1, 1, 1, 1}));
}

TEST(Repeats, ABlockAndItsCount) {
    // x (ab)³ y
    const Folded fold = folded("xabababy");
    EXPECT_EQ(fold.left, 4U);
    EXPECT_EQ(fold.times, (std::vector<std::int64_t>{1, 3, 3, 0, 0, 0, 0, 1}));
    EXPECT_EQ(fold.representative, (std::vector<std::uint32_t>{0, 1, 2, 1, 2, 1, 2, 7}));
}

TEST(Repeats, RepetitionsOfRepetitions) {
    // (f l³ h)² : l is played six times.
    const Folded fold = folded("flllhflllh");
    EXPECT_EQ(fold.left, 3U);
    EXPECT_EQ(fold.times[0], 2);
    EXPECT_EQ(fold.times[1], 6);
    EXPECT_EQ(fold.times[4], 2);
    EXPECT_EQ(fold.representative[8], 1U);
}

TEST(Repeats, RoundsOfDifferentCountsAreDifferentBlocks) {
    // l³ is another block than l².
    const Folded fold = folded("flllhfllh");
    EXPECT_EQ(fold.left, 6U);
}

TEST(Repeats, NothingIsNothing) {
    EXPECT_EQ(folded("").left, 0U);
}

}  // namespace
}  // namespace dse::synth
