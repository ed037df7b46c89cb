#include "dse/synth/judge/leakage.hpp"

#include <gtest/gtest.h>

#include "dse/base/seed.hpp"
#include "dse/synth/model.hpp"
#include "synth/graphs.hpp"

namespace dse::synth {
namespace {

/// A stack with a layer of its own: an operator that no other job of the family has.
SmallGraph with_secret(Vocabulary& labels, double size) {
    SmallGraph graph = test::stacked(labels, 8, 8, 1e9 / 8);
    std::vector<Node> nodes = graph.nodes;
    nodes.push_back({labels.add({Kind::compute, Role::none, "secret"}), {size, size, 0}, {4}});
    return layered(graph.conditions, std::move(nodes), {1, 8, 8, 8, 1, 1});
}

std::vector<SmallGraph> samples_of(const Corpus& corpus, std::uint64_t number) {
    const auto model = model_kinds().front().fit(corpus, "");
    std::vector<SmallGraph> samples;
    for (std::uint64_t i = 0; i < number; ++i) samples.push_back(model->sample({}, seed_of(5, i)));
    return samples;
}

TEST(Leakage, APlantedSecretLayerIsFound) {
    Corpus corpus = test::family_of_stacks(24);
    corpus.graphs.push_back(with_secret(corpus.labels, 7e9));
    const Leakage leakage = find_leakage(corpus.graphs, {}, samples_of(corpus, 200), corpus.labels.size());
    ASSERT_FALSE(leakage.exposures.empty());
    const Exposure& worst = leakage.exposures.front();
    EXPECT_EQ(worst.graph, 24U);
    EXPECT_GE(worst.secrets, 1U);
    const Node& example = corpus.graphs[24].nodes[worst.example];
    EXPECT_EQ(corpus.labels[example.label].operation, "secret");
    // A family that was not told of it does not give it away.
    EXPECT_TRUE(
        find_leakage(corpus.graphs, {}, samples_of(test::family_of_stacks(24), 200), 4).exposures.empty());
}

TEST(Leakage, ASizeThatOneGraphAloneHasIsASecretOnceASampleHasIt) {
    Corpus corpus = test::family_of_stacks(24);
    std::vector<SmallGraph> samples = corpus.graphs;
    corpus.graphs.push_back(test::stacked(corpus.labels, 8, 8, 3e12));
    const std::size_t known = corpus.labels.size();
    EXPECT_TRUE(find_leakage(corpus.graphs, {}, samples, known).exposures.empty());
    samples.push_back(corpus.graphs.back());
    const Leakage leakage = find_leakage(corpus.graphs, {}, samples, known);
    ASSERT_EQ(leakage.exposures.size(), 1U);
    EXPECT_EQ(leakage.exposures[0].graph, 24U);
    EXPECT_EQ(leakage.exposures[0].secrets, 5U);
    EXPECT_EQ(leakage.exposures[0].samples, 1U);
    EXPECT_EQ(leakage.reused, 5U);
}

TEST(Leakage, WhatEveryGraphHasIsNoSecret) {
    const Corpus corpus = test::family_of_stacks(24);
    const Leakage leakage = find_leakage(corpus.graphs, {}, samples_of(corpus, 50), corpus.labels.size());
    EXPECT_TRUE(leakage.exposures.empty());
    EXPECT_EQ(leakage.rare, 0U);
    EXPECT_FALSE(leakage.membership_auc.has_value());
}

TEST(Leakage, CopiesAreKnownAndTellWhoWasLearnedFrom) {
    Corpus corpus;
    std::vector<SmallGraph> others;
    for (int i = 0; i < 5; ++i) {
        corpus.graphs.push_back(test::stacked(corpus.labels, 8, 4 + i, 1 << (10 + i)));
        others.push_back(test::stacked(corpus.labels, 8, 40 + i, 1 << (20 + i)));
    }
    const Leakage leakage = find_leakage(corpus.graphs, others, corpus.graphs, corpus.labels.size());
    EXPECT_EQ(leakage.copies, 5U);
    EXPECT_EQ(leakage.nearest_mean, 1.0);
    EXPECT_EQ(leakage.membership_auc, 1.0);
    EXPECT_LT(*leakage.held_back_nearest_mean, 0.5);
}

TEST(Leakage, NeighbourhoodsKnowParentsAndChildren) {
    const SmallGraph chain = layered({}, {{0, {}, {}}, {1, {}, {0}}, {1, {}, {1}}}, {1, 1, 1});
    const Colours colours = colours_of(chain);
    EXPECT_EQ(colours.alone[1], colours.alone[2]);
    EXPECT_NE(colours.neighbourhoods[1], colours.neighbourhoods[2]);
    EXPECT_EQ(similarity(colours, colours), 1.0);
    // Two of the three nodes are alike alone, one of them with its neighbours: 3 of 9 + 6 - 3.
    const SmallGraph pair = layered({}, {{1, {}, {}}, {1, {}, {0}}}, {1, 1});
    EXPECT_NEAR(similarity(colours, colours_of(pair)), 3.0 / 12, 1e-12);
}

}  // namespace
}  // namespace dse::synth
