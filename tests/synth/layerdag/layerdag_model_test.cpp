#include "synth/layerdag/layerdag_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"
#include "synth/layerdag/some_nets.hpp"

namespace dse::synth {
namespace {

using ::testing::HasSubstr;

/// Chains of operators "0" to "3"; the upper half of each is executed ten times.
Corpus chains() {
    Corpus corpus;
    for (int i = 3; i >= 0; --i) corpus.labels.add({Kind::compute, Role::none, std::to_string(i)});
    for (std::uint32_t length = 4; length < 12; length += 2) {
        std::vector<Node> nodes{{0, {1e6, 1e3, 0}, {}}};
        std::vector<std::int64_t> repeats{1};
        for (std::uint32_t n = 1; n < length; ++n) {
            nodes.push_back({static_cast<std::uint16_t>(n % 4), {1e6, 1e3, 0}, {n - 1}});
            repeats.push_back(n < length / 2 ? 1 : 10);
        }
        corpus.graphs.push_back(layered({8, 2, 1, 0, 0}, nodes, repeats));
        corpus.names.emplace_back("chain");
    }
    return corpus;
}

class LayerdagModelTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::string written(const nlohmann::json& nets) const {
        return folder_.write("nets.json", nets.dump());
    }
    [[nodiscard]] std::string error_of(const nlohmann::json& nets) const {
        return dse::test::error_message<InputError>([&] { LayerdagModel::fit(chains(), written(nets)); });
    }
    dse::test::TemporaryFolder folder_;
};

TEST_F(LayerdagModelTest, SamplesAreValidAndHaveAllThatAJobNeeds) {
    const auto model = LayerdagModel::fit(chains(), written(test::some_nets(4)));
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const SmallGraph sample = model->sample({}, seed);
        ASSERT_TRUE(is_valid(sample)) << seed;
        EXPECT_EQ(sample.conditions.devices, 8);
        for (const std::int64_t times : sample.repeats) EXPECT_TRUE(times == 1 || times == 10) << times;
        for (const Node& node : sample.nodes) EXPECT_GT(node.volumes[0], 0.0);
    }
    EXPECT_EQ(model->sample({16, 0, 0}, 1).conditions.devices, 16);
}

// The networks' "0" is the family's last label.
TEST_F(LayerdagModelTest, LabelsAreTheFamilys) {
    nlohmann::json nets = test::some_nets(4);
    nets["nets"]["label"][1]["worth"] = std::vector<double>(4, 0.0);
    nets["nets"]["label"][1]["bias"][0] = 40.0;
    const auto model = LayerdagModel::fit(chains(), written(nets));
    const auto graph = model->sample({}, 1);
    ASSERT_FALSE(graph.nodes.empty());
    for (const Node& node : graph.nodes) EXPECT_EQ(node.label, 3);
}

TEST_F(LayerdagModelTest, IsReadAgainAsItWas) {
    const auto model = LayerdagModel::fit(chains(), written(test::some_nets(4)));
    const auto again = LayerdagModel::read(model->to_json(), 4);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const SmallGraph one = model->sample({}, seed);
        const SmallGraph other = again->sample({}, seed);
        ASSERT_EQ(one.nodes.size(), other.nodes.size());
        EXPECT_EQ(one.repeats, other.repeats);
        for (std::size_t n = 0; n < one.nodes.size(); ++n) {
            EXPECT_EQ(one.nodes[n].label, other.nodes[n].label);
            EXPECT_EQ(one.nodes[n].parents, other.nodes[n].parents);
            EXPECT_EQ(one.nodes[n].volumes, other.nodes[n].volumes);
        }
    }
    EXPECT_THROW(LayerdagModel::read(model->to_json(), 3), InputError);
}

TEST_F(LayerdagModelTest, NetworksOfOtherGraphsAreRefused) {
    EXPECT_THAT(error_of(test::some_nets(3)),
                HasSubstr("nets.json': the networks do not know the operator '3'"));
    EXPECT_THAT(error_of(test::some_nets(5)), HasSubstr("know 5 operators and the graphs have 4"));
    EXPECT_THAT(error_of({{"settings", 1}}), HasSubstr("no networks of layerdag"));
    EXPECT_THAT(dse::test::error_message<InputError>([] { LayerdagModel::fit(chains(), ""); }),
                HasSubstr("'layerdag' needs --nets"));
}

}  // namespace
}  // namespace dse::synth
