#include "synth/layerdag/layer_drawing.hpp"

#include <gtest/gtest.h>

#include "synth/layerdag/some_nets.hpp"

namespace dse::synth {
namespace {

SmallGraph drawn(const Nets& nets, const Aim& aim, std::uint64_t seed) {
    Random random{seed};
    return LayerDrawing{nets, aim, random}.run();
}

std::vector<std::vector<std::uint32_t>> parents_of(const SmallGraph& graph) {
    std::vector<std::vector<std::uint32_t>> parents;
    for (const Node& node : graph.nodes) parents.push_back(node.parents);
    return parents;
}

TEST(LayerDrawing, WhateverNetsSayGraphsAreValidAndHaveTheirLayers) {
    const Nets nets = Nets::from_json(test::some_nets(6));
    std::size_t extras = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Aim aim{1 + seed % 12, 20, 5};
        const SmallGraph graph = drawn(nets, aim, seed);
        ASSERT_TRUE(is_valid(graph)) << seed;
        EXPECT_EQ(graph.layers(), aim.layers);
        for (const Node& node : graph.nodes) {
            EXPECT_LT(node.label, 6);
            extras += node.parents.size() > 1 ? node.parents.size() - 1 : 0;
        }
    }
    EXPECT_GT(extras, 100U);
}

TEST(LayerDrawing, EqualSeedsGiveEqualGraphs) {
    const Nets nets = Nets::from_json(test::some_nets(6));
    const Aim aim{8, 20, 5};
    EXPECT_EQ(parents_of(drawn(nets, aim, 3)), parents_of(drawn(nets, aim, 3)));
    EXPECT_NE(parents_of(drawn(nets, aim, 3)), parents_of(drawn(nets, aim, 4)));
}

TEST(LayerDrawing, NoGraphIsLargerThanGraphsMayBe) {
    // Layers of up to 100 nodes would make 40,000.
    const Nets nets = Nets::from_json(test::some_nets(2, 100));
    const SmallGraph graph = drawn(nets, {399, 400, 0}, 1);
    EXPECT_EQ(graph.layers(), 399U);
    EXPECT_LE(graph.nodes.size(), most_nodes);
    EXPECT_TRUE(is_valid(graph));
}

TEST(LayerDrawing, OperatorsFollowTheNets) {
    // Networks of zeros but for one bias: the label is 3 but for one of e^40.
    nlohmann::json json = test::some_nets(6);
    nlohmann::json& label = json["nets"]["label"][1];
    label["worth"] = std::vector<double>(6, 0.0);
    label["bias"][3] = 40.0;
    const auto graph = drawn(Nets::from_json(json), {8, 20, 5}, 1);
    ASSERT_FALSE(graph.nodes.empty());
    for (const Node& node : graph.nodes) EXPECT_EQ(node.label, 3);
}

}  // namespace
}  // namespace dse::synth
