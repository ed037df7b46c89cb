#include "dse/netsim/registry.hpp"

#include <array>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::netsim {
namespace {

/// Its time, or why there is none.
std::string answer(const model::NetworkModel& network, const model::Communication& what) {
    try {
        return fmt::format("{}", network.time(what).value());
    } catch (const ModelError& error) {
        return error.what();
    }
}

TEST(Registry, makes_every_network_model) {
    graph::Mesh mesh;
    mesh = graph::Mesh::dense(8, 1, 1, 1);
    for (const auto& row : network_models().rows()) {
        const auto model = row.make(model::plain_network());
        const graph::Collective gather{graph::CollectiveKind::all_gather, graph::MeshAxis::tensor, Bytes{1e6},
                                       1.0};
        EXPECT_GE(model->collective(gather, mesh), Seconds{8.75e-6}) << row.name;
        EXPECT_FALSE(row.description.empty()) << row.name;
    }
}

/// The same group said in two ways; of those that no mesh has, models answer or say who they are.
TEST(Registry, every_network_model_takes_lists_of_ranks) {
    const graph::Mesh mesh = graph::Mesh::dense(2, 1, 2, 2);
    std::set<std::string> takers;
    for (const auto& row : network_models().rows()) {
        const auto model = row.make(model::plain_network());
        for (std::uint8_t k = 0; k < 6; ++k) {
            const auto kind = static_cast<graph::CollectiveKind>(k);
            const std::array<std::int64_t, 2> pair{1, 3};
            const std::array<std::int64_t, 3> three{0, 1, 3};
            const Bytes size{6e6};
            EXPECT_EQ(answer(*model, {kind, size, model::RankList{pair, 8}}),
                      answer(*model, {kind, size, model::AxisGroups{&mesh, graph::MeshAxis::data}}))
                << row.name << " " << graph::name(kind);
            const model::Communication irregular{kind, size, model::RankList{three, 8}};
            if (answer(*model, irregular).find("no pattern") == std::string::npos) {
                takers.insert(row.name);
            } else {
                EXPECT_THAT(answer(*model, irregular), testing::HasSubstr(row.name + " needs"));
            }
        }
    }
    EXPECT_THAT(takers, testing::ElementsAre("astra_sim", "flow"));
}

/// What a row calls monotonic is: over sizes, groups within a domain of eight and across four of them.
TEST(Registry, monotonic_network_models_gain_from_every_better_field) {
    hardware::NetworkSpec plain = model::plain_network();
    plain.collective.launch = Seconds{3e-6};
    plain.collective.message_launch = Seconds{2e-6};
    std::vector<hardware::NetworkSpec> better(7, plain);
    better[0].scale_up.link.bandwidth = plain.scale_up.link.bandwidth * 2.0;
    better[1].scale_out.link.bandwidth = plain.scale_out.link.bandwidth * 2.0;
    better[2].scale_up.link.latency = plain.scale_up.link.latency * 0.5;
    better[3].scale_out.link.latency = plain.scale_out.link.latency * 0.5;
    better[4].collective.launch = Seconds{};
    better[5].collective.message_launch = Seconds{};
    better[6].collective.phase_overlap = 1.0;
    const graph::Mesh mesh = graph::Mesh::dense(4, 1, 8, 1);
    int held = 0;
    for (const auto& row : network_models().rows()) {
        if (!row.make.is_monotonic) continue;
        const auto before = row.make(plain);
        for (const hardware::NetworkSpec& network : better) {
            const auto after = row.make(network);
            for (std::uint8_t k = 0; k < 6; ++k) {
                for (const graph::MeshAxis axis : {graph::MeshAxis::tensor, graph::MeshAxis::data}) {
                    for (const double size : {1e3, 1e6, 1e9}) {
                        const model::Communication what{static_cast<graph::CollectiveKind>(k), Bytes{size},
                                                        model::AxisGroups{&mesh, axis}};
                        EXPECT_LE(after->time(what), before->time(what)) << row.name << " " << int{k};
                        ++held;
                    }
                }
            }
        }
    }
    EXPECT_GE(held, 7 * 6 * 2 * 3);
}

TEST(Registry, an_unknown_model_names_the_nearest) {
    try {
        static_cast<void>(network_models().find("latency_bandwith"));
        FAIL() << "no such model";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "unknown network model 'latency_bandwith' (did you mean 'latency_bandwidth'?)");
    }
}

}  // namespace
}  // namespace dse::netsim
