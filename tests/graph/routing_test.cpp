#include "dse/graph/routing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

double load(Imbalance imbalance, const RoutedLayer& layer, double skew = 1.0) {
    Routing routing;
    routing.imbalance = imbalance;
    routing.skew = skew;
    return fullest_load(routing, layer);
}

TEST(FullestLoad, BalancedIsTheMean) {
    EXPECT_EQ(load(Imbalance::balanced, {64, 8, 16, 100.0}), 1.0);
}

TEST(FullestLoad, OneDeviceHoldsEverything) {
    EXPECT_EQ(load(Imbalance::uniform, {64, 8, 1, 100.0}), 1.0);
    EXPECT_EQ(load(Imbalance::zipf, {64, 8, 1, 100.0}), 1.0);
}

/// E[max] of two normals is 1/√π, of three 3/(2√π).
TEST(FullestLoad, UniformIsTheLargestOfNormals) {
    const double root_pi = std::sqrt(std::numbers::pi);
    EXPECT_NEAR(load(Imbalance::uniform, {8, 2, 2, 100.0}), 1.0 + 1.0 / root_pi / 10.0, 1e-9);
    EXPECT_NEAR(load(Imbalance::uniform, {9, 2, 3, 400.0}), 1.0 + 1.5 / root_pi / 20.0, 1e-9);
    // Tabulated for 64: 2.3437 (Harter 1961). The asymptote √(2 ln 64) = 2.88 is the limit from above.
    EXPECT_NEAR((load(Imbalance::uniform, {64, 2, 64, 1.0}) - 1.0), 2.3437, 1e-4);
}

TEST(FullestLoad, ZipfWithoutSkewIsBalanced) {
    EXPECT_NEAR(load(Imbalance::zipf, {64, 8, 16, 100.0}, 0.0), 1.0, 1e-12);
}

/// 4 experts on 4 devices, one choice, skew 1: shares 12/25, 6/25, 4/25, 3/25, wherever they lie; the mean is
/// 1/4.
TEST(FullestLoad, ZipfOfOneExpertADevice) {
    EXPECT_NEAR(load(Imbalance::zipf, {4, 1, 4, 100.0}), 48.0 / 25.0, 1e-12);
}

/// No token chooses an expert twice. Two choices of 3, skew 10: the first expert has all, 1; of the other
/// choice nearly all fall on the second. Mean 2/3.
TEST(FullestLoad, ZipfChoosesWithoutReplacement) {
    EXPECT_NEAR(load(Imbalance::zipf, {3, 2, 3, 100.0}, 10.0), 1.5, 1e-12);
}

/// 4 experts, 2 devices, one choice, skew 1: in units of 1/25 the popular expert (12) shares a device with 6,
/// 4 or 3, each in a third of all placements: (18 + 16 + 15) / 3 over a mean of 12.5.
TEST(FullestLoad, ZipfIsTheMeanOverPlacements) {
    EXPECT_NEAR(load(Imbalance::zipf, {4, 1, 2, 100.0}), 49.0 / 3.0 / 12.5, 0.01);
    Routing routing;
    routing.imbalance = Imbalance::zipf;
    const double first = fullest_load(routing, {64, 8, 16, 100.0});
    EXPECT_EQ(fullest_load(routing, {64, 8, 16, 100.0}), first);
    routing.seed = 1;
    EXPECT_NE(fullest_load(routing, {64, 8, 16, 100.0}), first);
    EXPECT_NEAR(fullest_load(routing, {64, 8, 16, 100.0}), first, 0.05 * first);
}

TEST(FullestLoad, GrowsWithDevicesAndSkew) {
    for (const Imbalance imbalance : {Imbalance::uniform, Imbalance::zipf}) {
        double before = 1.0;
        for (const std::int64_t devices : {2, 4, 8, 16, 32}) {
            const double now = load(imbalance, {64, 4, devices, 1000.0});
            EXPECT_GT(now, before);
            before = now;
        }
    }
    EXPECT_GT(load(Imbalance::zipf, {64, 4, 8, 1.0}, 1.2), load(Imbalance::zipf, {64, 4, 8, 1.0}, 0.6));
    // A token that chooses every expert leaves nothing to skew.
    EXPECT_NEAR(load(Imbalance::zipf, {64, 64, 8, 1.0}, 2.0), 1.0, 1e-12);
}

TEST(FullestLoad, CapacityPadsEveryExpert) {
    Routing routing;
    routing.imbalance = Imbalance::zipf;
    routing.capacity_factor = 1.25;
    EXPECT_EQ(fullest_load(routing, {64, 8, 16, 100.0}), 1.25);
    EXPECT_EQ(fullest_load(routing, {64, 8, 1, 100.0}), 1.25);
}

TEST(Routing, RefusesWhatMakesNoSense) {
    EXPECT_THROW((void)load(Imbalance::balanced, {2, 3, 1, 1.0}), ModelError);
    Routing routing;
    require_valid(routing);
    routing.skew = -1.0;
    EXPECT_THROW(require_valid(routing), ModelError);
    routing = {};
    routing.capacity_factor = std::nan("");
    EXPECT_THROW(require_valid(routing), ModelError);
}

/// E(1 - (1 - K/E)^b) of 256 experts, 8 a token: 57 of 8 tokens, 222 of 64, all of 256 (a published table
/// rounds so).
TEST(TouchedShare, GrowsToAllExperts) {
    EXPECT_DOUBLE_EQ(touched_share(256, 8, 1.0), 8.0 / 256);
    EXPECT_EQ(std::lround(256 * touched_share(256, 8, 8.0)), 57);
    EXPECT_EQ(std::lround(256 * touched_share(256, 8, 64.0)), 222);
    EXPECT_EQ(std::lround(256 * touched_share(256, 8, 256.0)), 256);
    EXPECT_EQ(touched_share(8, 8, 1.0), 1.0);
    EXPECT_EQ(touched_share(8, 2, 0.0), 0.0);
}

/// Of three experts, in proportion to 1, 1/2 and 1/3, two tokens choose one each: 6/11, 3/11 and 2/11 of the
/// tokens.
TEST(TouchedShare, IsSmallerIfFewExpertsArePopular) {
    Routing routing;
    routing.imbalance = Imbalance::zipf;
    const RoutedLayer layer{3, 1, 1, 2.0};
    const double left_out = (25.0 + 64.0 + 81.0) / 121.0;
    EXPECT_NEAR(touched_share(routing, layer, 2.0), 1.0 - left_out / 3.0, 1e-12);
    routing.skew = 0.0;
    EXPECT_NEAR(touched_share(routing, layer, 2.0), touched_share(3, 1, 2.0), 1e-12);
    routing.imbalance = Imbalance::uniform;
    EXPECT_EQ(touched_share(routing, layer, 2.0), touched_share(3, 1, 2.0));
}

/// Counted: draws of distinct experts a token, by a seeded shuffle.
TEST(TouchedShare, IsWhatDrawsGive) {
    std::mt19937_64 random(7);
    std::vector<int> experts(16);
    std::iota(experts.begin(), experts.end(), 0);
    double touched = 0;
    constexpr int rounds = 4000;
    for (int round = 0; round < rounds; ++round) {
        std::set<int> chosen;
        for (int token = 0; token < 5; ++token) {
            std::shuffle(experts.begin(), experts.end(), random);
            chosen.insert(experts.begin(), experts.begin() + 3);
        }
        touched += static_cast<double>(chosen.size()) / rounds;
    }
    EXPECT_NEAR(16 * touched_share(16, 3, 5.0), touched, 0.15);
}

}  // namespace
}  // namespace dse::graph
