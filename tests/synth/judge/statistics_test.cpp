#include "dse/synth/judge/statistics.hpp"

#include <gtest/gtest.h>

namespace dse::synth {
namespace {

TEST(Statistics, DistancesOfDistributions) {
    EXPECT_EQ(wasserstein({1, 2, 3}, {3, 2, 1}), 0.0);
    EXPECT_EQ(wasserstein({0, 0}, {1, 1, 1}), 1.0);
    // Half of the mass moves by 2.
    EXPECT_EQ(wasserstein({0, 2}, {2, 2, 2, 2}), 1.0);
    EXPECT_EQ(wasserstein({5}, {1}), 4.0);
}

TEST(Statistics, TheSevenOfTwoGraphs) {
    // 0 → 1, and 0 → 1 → 1 with a second edge 0 → 1.
    const SmallGraph two = layered({}, {{0, {}, {}}, {1, {}, {0}}}, {1, 1});
    const SmallGraph three = layered({}, {{0, {}, {}}, {1, {}, {0}}, {1, {}, {0, 1}}}, {1, 1, 1});
    const std::vector<SmallGraph> a{two};
    const std::vector<SmallGraph> b{three};
    const Statistics found = compare(a, b);
    EXPECT_EQ(found.layers_w1, 1.0);
    EXPECT_EQ(found.nodes_w1, 1.0);
    EXPECT_EQ(found.edges_w1, 2.0);
    // Degrees {0, 1} against {0, 1, 2}: between 0 and 1 they differ by 1/2 − 1/3, between 1 and 2 by 1/3.
    EXPECT_NEAR(found.in_degree_w1, 0.5, 1e-12);
    EXPECT_EQ(found.layer_size_w1, 0.0);
    // 1/2, 1/2 against 1/3, 2/3.
    EXPECT_NEAR(found.operator_tv, 1.0 / 6, 1e-12);
    // All edges are 0 → 1, against two in three.
    EXPECT_NEAR(found.edge_tv, 1.0 / 3, 1e-12);
    for (const auto& [name, value] : named(compare(a, a))) EXPECT_EQ(value, 0.0) << name;
}

}  // namespace
}  // namespace dse::synth
