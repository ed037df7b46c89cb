#include "dse/synth/small_graph.hpp"

#include <gtest/gtest.h>

#include "synth/graphs.hpp"

namespace dse::synth {
namespace {

TEST(SmallGraph, NodesStandInTheLayersOfTheirLongestPaths) {
    // 0 → 1 → 3, 0 → 2 → 3, 0 → 3.
    const SmallGraph graph =
        layered({}, {{0, {}, {}}, {1, {}, {0}}, {2, {}, {0}}, {3, {}, {0, 1, 2}}}, {1, 1, 1, 1});
    EXPECT_EQ(graph.layer_begin, (std::vector<std::uint32_t>{0, 1, 3, 4}));
    EXPECT_EQ(graph.edges(), 5U);
    EXPECT_TRUE(is_valid(graph));
}

TEST(SmallGraph, ANewCountBeginsANewLayerBehindAllBefore) {
    // Two chains beside each other; the last node is executed four times, and waits for the longer chain too.
    const SmallGraph graph =
        layered({}, {{0, {}, {}}, {1, {}, {0}}, {2, {}, {1}}, {3, {}, {}}, {4, {}, {3}}}, {1, 1, 1, 1, 4});
    ASSERT_EQ(graph.layers(), 4U);
    EXPECT_EQ(graph.repeats, (std::vector<std::int64_t>{1, 1, 1, 4}));
    EXPECT_EQ(graph.nodes.back().label, 4);
    EXPECT_EQ(graph.nodes.back().parents.size(), 2U);
    EXPECT_TRUE(is_valid(graph));
}

TEST(SmallGraph, AParentTwoLayersBeforeAloneIsNotValid) {
    SmallGraph graph = layered({}, {{0, {}, {}}, {1, {}, {0}}, {2, {}, {1}}}, {1, 1, 1});
    graph.nodes[2].parents = {0};
    EXPECT_FALSE(is_valid(graph));
    graph.nodes[2].parents = {1, 2};
    EXPECT_FALSE(is_valid(graph));
}

TEST(SmallGraph, BinsAreQuartersOfAnOctave) {
    EXPECT_EQ(bin_of(0.0), 0);
    EXPECT_EQ(bin_of(1.0), 1);
    EXPECT_EQ(bin_of(1.9), 4);
    EXPECT_EQ(bin_of(2.0), 5);
    EXPECT_EQ(bin_of(1024.0), 41);  // 10 octaves of 4 quarters, and 1
    EXPECT_EQ(volume_in(41, 0), 1024.0);
    for (const double volume : {1.0, 3.0, 777.0, 123456789.0, 3.1e15}) {
        const double back = volume_in(bin_of(volume), sixteenth_of(volume));
        EXPECT_LE(back, volume + 1) << volume;
        EXPECT_NEAR(back / volume, 1.0, volume < 100 ? 0.5 : 0.02) << volume;
        EXPECT_EQ(bin_of(back), bin_of(volume)) << volume;
    }
}

TEST(SmallGraph, LabelsHaveNumbersInTheOrderOfTheirFirstUse) {
    Vocabulary labels;
    const Label gemm{Kind::compute, Role::none, "gemm"};
    const Label reduce{Kind::collective, Role::near, "all_reduce"};
    EXPECT_EQ(labels.add(gemm), 0);
    EXPECT_EQ(labels.add(reduce), 1);
    EXPECT_EQ(labels.add(gemm), 0);
    EXPECT_EQ(to_string(labels[1]), "collective all_reduce near");
}

}  // namespace
}  // namespace dse::synth
