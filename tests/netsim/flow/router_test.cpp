#include "dse/netsim/flow/router.hpp"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/netsim/flow/fabric.hpp"
#include "netsim/flow/machines.hpp"

namespace dse::netsim::flow {
namespace {

using hardware::PathChoice;
using hardware::TopologyKind;

using Route = std::vector<LinkId>;

Route route(Router& router, std::size_t from, std::size_t to, const FluidNetwork* load = nullptr) {
    Route links;
    router.route(NodeId{from}, NodeId{to}, load, links);
    return links;
}

/// 64 devices below 8 leaves and 8 spines.
Fabric tree() {
    hardware::NetworkSpec network = test::flat_network(TopologyKind::fat_tree);
    network.topology.leaf_devices = 8;
    return build_fabric(network, 64);
}

TEST(Router, WaysAreConnectedAndCheapest) {
    hardware::NetworkSpec network = test::small_network();
    network.dimensions.push_back(test::dimension(hardware::DimensionKind::ring, 5));
    network.dimensions.push_back(test::dimension(hardware::DimensionKind::ring, 4));
    const Fabric fabric = build_fabric(network, 20);
    for (const PathChoice choice : {PathChoice::first, PathChoice::ecmp}) {
        Router router{fabric.graph, choice, 3};
        for (std::size_t from = 0; from < 20; ++from) {
            for (std::size_t to = 0; to < 20; ++to) {
                const Route links = route(router, from, to);
                NodeId at{from};
                for (const LinkId link : links) {
                    EXPECT_EQ(fabric.graph.link(link).from, at);
                    at = fabric.graph.link(link).to;
                }
                EXPECT_EQ(at, NodeId{to});
                const auto around = [](std::size_t a, std::size_t b, std::size_t size) {
                    const std::size_t there = a < b ? b - a : a - b;
                    return std::min(there, size - there);
                };
                EXPECT_EQ(links.size(), around(from % 5, to % 5, 5) + around(from / 5, to / 5, 4));
            }
        }
    }
}

TEST(Router, EcmpSpreadsByItsSeedAlone) {
    const Fabric fabric = tree();
    const auto spines_used = [&](std::uint64_t seed) {
        Router router{fabric.graph, PathChoice::ecmp, seed};
        std::vector<NodeId> spines;
        for (std::size_t d = 0; d < 8; ++d) {
            for (std::size_t to = 8; to < 64; ++to) {
                spines.push_back(fabric.graph.link(route(router, d, to)[1]).to);
            }
        }
        return spines;
    };
    const std::vector<NodeId> once = spines_used(1);
    EXPECT_EQ(once, spines_used(1));
    EXPECT_NE(once, spines_used(2));
    std::map<NodeId, int> messages;
    for (const NodeId spine : once) ++messages[spine];
    // 448 messages over 8 spines: 56 on average, standard deviation 7.
    EXPECT_EQ(messages.size(), 8U);
    for (const auto& [spine, count] : messages) EXPECT_NEAR(count, 56, 28);
}

TEST(Router, FirstTakesOneSpine) {
    const Fabric fabric = tree();
    Router router{fabric.graph, PathChoice::first, 0};
    std::set<NodeId> spines;
    for (std::size_t d = 0; d < 8; ++d) spines.insert(fabric.graph.link(route(router, d, 60)[1]).to);
    EXPECT_EQ(spines.size(), 1U);
}

TEST(Router, AdaptiveGoesWhereLeastIsUnderWay) {
    const Fabric fabric = tree();
    Router router{fabric.graph, PathChoice::adaptive, 0};
    FluidNetwork network{fabric.graph};
    std::map<NodeId, int> messages;
    for (std::size_t d = 0; d < 8; ++d) {
        for (std::size_t k = 0; k < 2; ++k) {
            const Route links = route(router, d, 8 + 8 * k + d, &network);
            network.add(links, Bytes{1e6});
            ++messages[fabric.graph.link(links[1]).to];
        }
    }
    EXPECT_EQ(messages.size(), 8U);
    for (const auto& [spine, count] : messages) EXPECT_EQ(count, 2);
}

TEST(Router, ValiantGoesOverAnotherGroup) {
    hardware::NetworkSpec network = test::flat_network(TopologyKind::dragonfly);
    network.topology.router_devices = 2;
    network.topology.group_routers = 4;
    network.topology.router_globals = 2;
    const Fabric fabric = build_fabric(network, 72);
    Router router{fabric.graph, PathChoice::valiant, 5};
    std::set<std::uint32_t> over;
    for (std::size_t from = 0; from < 8; ++from) {
        for (std::size_t to = 8; to < 16; ++to) {
            std::set<std::uint32_t> groups;
            for (const LinkId link : route(router, from, to)) {
                const Node& node = fabric.graph.node(fabric.graph.link(link).to);
                if (node.kind == Node::Kind::hub) groups.insert(node.group);
            }
            EXPECT_EQ(groups.size(), 3U);
            groups.erase(0);
            groups.erase(1);
            over.insert(groups.begin(), groups.end());
        }
    }
    EXPECT_EQ(over.size(), 7U);  // all others, by 64 hashes
    // Inside a group there is nothing to avoid.
    EXPECT_LE(route(router, 0, 7).size(), 3U);
}

TEST(Router, GoesRoundLinksThatAreDown) {
    hardware::NetworkSpec network = test::flat_network(TopologyKind::fat_tree);
    network.topology.leaf_devices = 2;
    network.topology.degraded = {{"leaf0", "spine0", 0.0, hardware::WireDirection::both}};
    const Fabric fabric = build_fabric(network, 4);
    Router router{fabric.graph, PathChoice::first, 0};
    EXPECT_EQ(fabric.graph.node(fabric.graph.link(route(router, 0, 3)[1]).to).name, "spine1");
}

TEST(Router, SaysWhereThereIsNoWay) {
    hardware::NetworkSpec network = test::flat_network(TopologyKind::two_level);
    network.topology.degraded = {{"3", "core0", 0.0, hardware::WireDirection::both}};
    const Fabric fabric = build_fabric(network, 4);
    Router router{fabric.graph, PathChoice::first, 0};
    EXPECT_THAT([&] { route(router, 0, 3); },
                testing::ThrowsMessage<ModelError>(testing::HasSubstr("no way from 0 to 3")));
}

}  // namespace
}  // namespace dse::netsim::flow
