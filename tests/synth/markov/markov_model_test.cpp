// Also tests: markov/group_sizes.cpp, markov/outline.cpp, markov/volumes.cpp, markov/wiring.cpp
#include "synth/markov/markov_model.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"
#include "synth/graphs.hpp"

namespace dse::synth {
namespace {

TEST(MarkovModel, SamplesAreValidAndOfTheFamily) {
    const Corpus corpus = test::family_of_stacks(16);
    const auto model = MarkovModel::fit(corpus);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const SmallGraph sample = model->sample({}, seed);
        ASSERT_TRUE(is_valid(sample)) << seed;
        // All graphs of the family have this one structure.
        ASSERT_EQ(sample.nodes.size(), 5U);
        EXPECT_EQ(sample.repeats, (std::vector<std::int64_t>{1, 8, 8, 8, 1}));
        EXPECT_EQ(sample.conditions.devices % sample.conditions.near, 0);
        for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(sample.nodes[n].label, corpus.graphs[0].nodes[n].label);
        EXPECT_EQ(sample.nodes[3].parents, (std::vector<std::uint32_t>{1, 2}));
        EXPECT_GT(sample.nodes[2].volumes[2], 0.0);
        EXPECT_EQ(sample.nodes[2].volumes[0], 0.0);
    }
}

TEST(MarkovModel, SizesFollowTheDevicesBeyondThoseSeen) {
    const auto model = MarkovModel::fit(test::family_of_stacks(40));
    // Sizes are inverse to the devices: 1e11 / devices FLOP in the first matrix product.
    for (const std::int64_t devices : {4, 16, 256}) {
        const SmallGraph sample = model->sample({devices, 0, 0}, 3);
        EXPECT_EQ(sample.conditions.devices, devices);
        const double octaves =
            std::log2(sample.nodes[1].volumes[0]) - std::log2(1e11 / static_cast<double>(devices));
        EXPECT_LT(std::abs(octaves), 0.6) << devices;
    }
}

TEST(MarkovModel, GroupsDivideWhateverDevicesAreAsked) {
    const auto model = MarkovModel::fit(test::family_of_stacks(8));
    for (const std::int64_t devices : {1, 3, 7, 12, 4096}) {
        const Conditions drawn = model->sample({devices, 0, 0}, 1).conditions;
        EXPECT_EQ(drawn.devices, devices);
        EXPECT_EQ(devices % (drawn.near * drawn.ring), 0) << devices;
    }
}

TEST(MarkovModel, BranchesOfMixedFamiliesStayValid) {
    // Trees and diamonds of several widths.
    Corpus corpus;
    for (std::uint16_t i = 0; i < 6; ++i) corpus.labels.add({Kind::compute, Role::none, std::to_string(i)});
    for (std::uint32_t width = 1; width <= 6; ++width) {
        std::vector<Node> nodes{{0, {}, {}}};
        for (std::uint32_t n = 0; n < width; ++n) nodes.push_back({1, {}, {0}});
        for (std::uint32_t n = 0; n < width; ++n) nodes.push_back({2, {}, {n + 1}});
        nodes.push_back({3, {}, {}});
        for (std::uint32_t n = 0; n < width; ++n) nodes.back().parents.push_back(width + 1 + n);
        nodes.push_back({4, {}, {0, 2 * width + 1}});
        const std::vector<std::int64_t> repeats(nodes.size(), 1);
        for (int times = 0; times < 5; ++times) corpus.graphs.push_back(layered({}, nodes, repeats));
    }
    const auto model = MarkovModel::fit(corpus);
    std::set<std::size_t> sizes;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const SmallGraph sample = model->sample({}, seed);
        ASSERT_TRUE(is_valid(sample)) << seed;
        EXPECT_EQ(sample.layers(), 5U);
        sizes.insert(sample.nodes.size());
    }
    EXPECT_GE(sizes.size(), 6U);
}

TEST(MarkovModel, FilesThatCannotBeAreRefused) {
    const Corpus corpus = test::family_of_stacks(8);
    const nlohmann::json json = MarkovModel::fit(corpus)->to_json();
    EXPECT_NO_THROW(MarkovModel::read(json, corpus.labels.size()));
    EXPECT_THROW(MarkovModel::read(json, corpus.labels.size() - 1), InputError);
    nlohmann::json without = json;
    without.erase("wiring");
    EXPECT_THROW(MarkovModel::read(without, corpus.labels.size()), nlohmann::json::exception);
}

}  // namespace
}  // namespace dse::synth
