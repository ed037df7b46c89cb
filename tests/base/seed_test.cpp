#include "dse/base/seed.hpp"

#include <bitset>
#include <set>

#include <gtest/gtest.h>

namespace dse {
namespace {

// The first five outputs of SplitMix64 from state 1234567, as published with the generator. The sweep seed is
// the one whose first output is 1234567, found by inverting the mixing function.
TEST(Seed, IsTheSplitMixSequence) {
    constexpr std::uint64_t sweep = 11906536674387683726ULL;
    EXPECT_EQ(seed_of(sweep, 0), 6457827717110365317ULL);
    EXPECT_EQ(seed_of(sweep, 1), 3203168211198807973ULL);
    EXPECT_EQ(seed_of(sweep, 2), 9817491932198370423ULL);
    EXPECT_EQ(seed_of(sweep, 3), 4593380528125082431ULL);
    EXPECT_EQ(seed_of(sweep, 4), 16408922859458223821ULL);
}

TEST(Seed, PointsAndSweepsDoNotCollide) {
    std::set<std::uint64_t> seeds;
    for (std::uint64_t sweep = 0; sweep < 100; ++sweep) {
        for (std::uint64_t point = 0; point < 100; ++point) seeds.insert(seed_of(sweep, point));
    }
    EXPECT_EQ(seeds.size(), 10000U);
}

// Neighbouring points share no pattern: on average half of the 64 bits differ. 1000 pairs: the mean's
// standard deviation is 4 / sqrt(1000) = 0.13, so 1 bit is eight of them.
TEST(Seed, NeighboursDifferInHalfTheirBits) {
    double differing = 0;
    for (std::uint64_t point = 0; point < 1000; ++point)
        differing += static_cast<double>(std::bitset<64>(seed_of(1, point) ^ seed_of(1, point + 1)).count());
    EXPECT_NEAR(differing / 1000, 32.0, 1.0);
}

TEST(Seed, ExtremesAreDefined) {
    EXPECT_NE(seed_of(0, 0), 0U);
    EXPECT_NE(seed_of(~0ULL, ~0ULL), seed_of(~0ULL, 0));
}

}  // namespace
}  // namespace dse
