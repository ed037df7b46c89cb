// Also tests: flow/trees.cpp, flow/dragonfly.cpp
// Also tests: flow/grid.cpp, flow/wires.cpp

#include "dse/netsim/flow/fabric.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/netsim/flow/router.hpp"
#include "netsim/flow/machines.hpp"

namespace dse::netsim::flow {
namespace {

using hardware::DimensionKind;
using hardware::TopologyKind;
using test::dimension;
using test::flat_network;
using test::small_network;
using testing::HasSubstr;

std::int64_t count(const Fabric& fabric, const std::string& part) {
    return std::ranges::count_if(fabric.graph.nodes(),
                                 [&](const Node& node) { return node.name.find(part) != std::string::npos; });
}

NodeId node(const Fabric& fabric, const std::string& name) {
    const auto found = std::ranges::find(fabric.graph.nodes(), name, &Node::name);
    EXPECT_NE(found, fabric.graph.nodes().end()) << name;
    return NodeId{static_cast<std::size_t>(found - fabric.graph.nodes().begin())};
}

/// Bandwidth out of some nodes to all others.
double leaving(const Fabric& fabric, const std::set<std::string>& inside) {
    double sum = 0.0;
    for (const Link& link : fabric.graph.links()) {
        const bool from = inside.contains(fabric.graph.node(link.from).name);
        const bool to = inside.contains(fabric.graph.node(link.to).name);
        if (from && !to) sum += link.capacity.value();
    }
    return sum;
}

/// Names on the way, without the first.
std::string way(const Fabric& fabric, std::size_t from, std::size_t to) {
    Router router{fabric.graph, hardware::PathChoice::first, 0};
    std::vector<LinkId> links;
    router.route(NodeId{from}, NodeId{to}, nullptr, links);
    std::string names;
    for (const LinkId link : links) names += " " + fabric.graph.node(fabric.graph.link(link).to).name;
    return names;
}

std::string refusal(const hardware::NetworkSpec& network, std::int64_t devices) {
    try {
        static_cast<void>(build_fabric(network, devices));
    } catch (const ModelError& error) {
        return error.what();
    }
    return "";
}

TEST(Fabric, TwoLevelsAreDomainsAndOneSwitch) {
    const Fabric fabric = build_fabric(small_network(), 8);
    EXPECT_EQ(count(fabric, "nvs"), 2);
    EXPECT_EQ(count(fabric, "core"), 1);
    EXPECT_EQ(way(fabric, 1, 2), " nvs0 2");
    EXPECT_EQ(way(fabric, 1, 6), " core0 6");
    EXPECT_EQ(leaving(fabric, {"1"}), 110e9);
}

/// Three links of 100/3 GB/s to the others of a domain of four, with the latency of a message inside it.
TEST(Fabric, DevicesOfADomainMayBeJoinedDirectly) {
    hardware::NetworkSpec network = small_network();
    network.dimensions.push_back(dimension(DimensionKind::fully_connected, 4));
    for (const TopologyKind kind :
         {TopologyKind::two_level, TopologyKind::fat_tree, TopologyKind::rail, TopologyKind::dragonfly}) {
        network.topology.kind = kind;
        const Fabric fabric = build_fabric(network, 8);
        EXPECT_EQ(count(fabric, "nvs"), 0);
        EXPECT_EQ(way(fabric, 1, 2), " 2");
        EXPECT_EQ(way(fabric, 5, 7), " 7");
        EXPECT_NEAR(leaving(fabric, {"1"}), 110e9, 1.0);
        EXPECT_NEAR(leaving(fabric, {"0", "1", "2", "3"}), 40e9, 1.0);
        EXPECT_NEAR(fabric.graph.link(LinkId{0}).capacity.value(), 100e9 / 3.0, 1.0);
        EXPECT_EQ(fabric.graph.link(LinkId{0}).latency, network.scale_up.link.latency);
    }
}

TEST(Fabric, AJobInsideADomainNeedsNoFabric) {
    const Fabric fabric = build_fabric(small_network(), 4);
    EXPECT_EQ(fabric.graph.nodes().size(), 5U);
}

TEST(Fabric, OversubscriptionNarrowsWhatLeavesADomain) {
    hardware::NetworkSpec network = small_network();
    network.scale_out.oversubscription = 2.0;
    const Fabric fabric = build_fabric(network, 8);
    EXPECT_EQ(way(fabric, 1, 6), " leaf0 core0 leaf1 6");
    // 4 devices of 10 GB/s, half of it.
    EXPECT_EQ(leaving(fabric, {"0", "1", "2", "3", "nvs0", "leaf0"}), 20e9);
}

TEST(Fabric, FatTreeOfTwoTiers) {
    hardware::NetworkSpec network = flat_network(TopologyKind::fat_tree);
    network.topology.leaf_devices = 4;
    network.scale_out.oversubscription = 2.0;
    const Fabric fabric = build_fabric(network, 16);
    EXPECT_EQ(count(fabric, "leaf"), 4);
    EXPECT_EQ(count(fabric, "spine"), 2);  // 4 ports down, 2 up
    EXPECT_EQ(leaving(fabric, {"0", "1", "2", "3", "leaf0"}), 20e9);
    EXPECT_EQ(way(fabric, 0, 3), " leaf0 3");
    EXPECT_EQ(way(fabric, 0, 15), " leaf0 spine0 leaf3 15");
}

TEST(Fabric, FatTreeOfThreeTiers) {
    hardware::NetworkSpec network = flat_network(TopologyKind::fat_tree);
    network.topology.leaf_devices = 2;
    network.topology.pod_leaves = 2;
    network.topology.switch_latency = Seconds{1e-6};
    const Fabric fabric = build_fabric(network, 16);
    // The k = 4 fat tree of Al-Fares et al. (SIGCOMM 2008): 8 edge, 8 aggregation, 4 core switches.
    EXPECT_EQ(count(fabric, "leaf"), 8);
    EXPECT_EQ(count(fabric, "spine"), 8);
    EXPECT_EQ(count(fabric, "core"), 4);
    EXPECT_EQ(way(fabric, 0, 3), " leaf0 pod0.spine0 leaf1 3");
    EXPECT_EQ(way(fabric, 0, 15), " leaf0 pod0.spine0 core0 pod3.spine0 leaf7 15");
    EXPECT_EQ(leaving(fabric, {"0", "1", "2", "3", "leaf0", "leaf1", "pod0.spine0", "pod0.spine1"}), 40e9);
}

TEST(Fabric, RailsJoinEqualPlacesOfDomains) {
    hardware::NetworkSpec network = small_network(TopologyKind::rail);
    const Fabric fabric = build_fabric(network, 16);
    EXPECT_EQ(count(fabric, "leaf"), 4);
    EXPECT_EQ(way(fabric, 1, 13), " leaf1 13");
    EXPECT_EQ(way(fabric, 1, 14), " leaf1 spine0 leaf2 14");
    network.topology.cross_rail = hardware::CrossRail::relay;
    const Fabric relaying = build_fabric(network, 16);
    EXPECT_EQ(count(relaying, "spine"), 0);
    EXPECT_EQ(way(relaying, 1, 14), " nvs0 2 leaf2 14");
}

TEST(Fabric, BlocksOfRailsMeetInSpines) {
    hardware::NetworkSpec network = small_network(TopologyKind::rail);
    network.topology.leaf_devices = 2;
    network.topology.cross_rail = hardware::CrossRail::relay;
    const Fabric fabric = build_fabric(network, 16);
    EXPECT_EQ(count(fabric, "leaf"), 8);
    EXPECT_EQ(count(fabric, "spine"), 2);
    EXPECT_EQ(way(fabric, 1, 5), " leaf2 5");
    EXPECT_EQ(way(fabric, 1, 13), " leaf2 spine0 leaf3 13");
}

TEST(Fabric, DragonflyJoinsAllGroups) {
    hardware::NetworkSpec network = flat_network(TopologyKind::dragonfly);
    network.topology.router_devices = 2;
    network.topology.group_routers = 4;
    network.topology.router_globals = 2;
    // The balanced one of Kim et al.: a = 2p = 2h, 9 groups of 4 routers with 2 devices, one link between any
    // two groups.
    const Fabric fabric = build_fabric(network, 72);
    EXPECT_EQ(count(fabric, "router"), 36);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> between;
    std::map<std::size_t, int> globals;
    for (const Link& link : fabric.graph.links()) {
        const std::uint32_t from = fabric.graph.node(link.from).group;
        const std::uint32_t to = fabric.graph.node(link.to).group;
        const bool routers = fabric.graph.node(link.from).kind == Node::Kind::hub &&
                             fabric.graph.node(link.to).kind == Node::Kind::hub;
        if (!routers || from == to) continue;
        ++between[{from, to}];
        ++globals[link.from.index()];
    }
    EXPECT_EQ(between.size(), 9U * 8U);
    for (const auto& [pair, links] : between) EXPECT_EQ(links, 1);
    EXPECT_EQ(globals.size(), 36U);
    for (const auto& [router, links] : globals) EXPECT_EQ(links, 2);
    // No way is longer than router, router, router, router: local, global, local.
    Router router{fabric.graph, hardware::PathChoice::first, 0};
    for (std::size_t to = 1; to < 72; ++to) {
        std::vector<LinkId> links;
        router.route(NodeId{std::size_t{0}}, NodeId{to}, nullptr, links);
        EXPECT_LE(links.size(), 5U);
    }
    EXPECT_THAT(refusal(network, 73), HasSubstr("73 devices need 10 groups"));
}

TEST(Fabric, ATorusIsARingAlongEachDimension) {
    hardware::NetworkSpec network = small_network();
    network.dimensions.push_back(dimension(DimensionKind::ring, 4));
    network.dimensions.push_back(dimension(DimensionKind::ring, 3));
    const Fabric fabric = build_fabric(network, 12);
    EXPECT_EQ(fabric.graph.links().size(), 2U * (12U + 12U));
    EXPECT_EQ(way(fabric, 0, 3), " 3");
    EXPECT_EQ(way(fabric, 0, 8), " 8");
    EXPECT_EQ(way(fabric, 0, 5), " 1 5");
    // Half of the machine may leave by the middle or by the ends.
    EXPECT_EQ(leaving(fabric, {"0", "1", "4", "5", "8", "9"}), 6.0 * 50e9);
}

TEST(Fabric, ATwistedTorusShiftsItsWrapAroundLinks) {
    hardware::NetworkSpec network = small_network();
    network.dimensions.push_back(dimension(DimensionKind::ring, 4));
    network.dimensions.push_back(dimension(DimensionKind::ring, 8));
    network.topology.twist = 4;
    const Fabric fabric = build_fabric(network, 32);
    EXPECT_EQ(way(fabric, 3, 16), " 16");   // (3, 0) to (0, 4)
    EXPECT_EQ(way(fabric, 31, 12), " 12");  // (3, 7) to (0, 3)
    for (std::size_t d = 0; d < 32; ++d) {
        EXPECT_EQ(fabric.graph.nodes()[d].outgoing.size(), 4U);
        EXPECT_EQ(fabric.graph.nodes()[d].incoming.size(), 4U);
    }
}

TEST(Fabric, MeshesSwitchesAndFullConnections) {
    hardware::NetworkSpec network = small_network();
    network.dimensions.push_back(dimension(DimensionKind::mesh, 3));
    network.dimensions.push_back(dimension(DimensionKind::fully_connected, 4));
    network.dimensions.push_back(dimension(DimensionKind::switched, 2));
    const Fabric fabric = build_fabric(network, 24);
    // Cables: 2 a line of 8, 6 a full connection of 6, 2 a switch of 12.
    EXPECT_EQ(fabric.graph.links().size(), 2U * (8U * 2U + 6U * 6U + 12U * 2U));
    EXPECT_EQ(way(fabric, 0, 2), " 1 2");
    EXPECT_EQ(way(fabric, 0, 9), " 9");
    EXPECT_EQ(way(fabric, 0, 12), " switch0 12");
}

hardware::WireSpec wire(const std::string& from, const std::string& to, double gigabytes) {
    hardware::WireSpec wire;
    wire.from = from;
    wire.to = to;
    wire.link.bandwidth = BytesPerSecond{gigabytes * 1e9};
    return wire;
}

TEST(Fabric, WiresAreTakenAsListed) {
    hardware::NetworkSpec network = small_network(TopologyKind::wires);
    network.topology.wires = {wire("0-3", "left", 10), wire("4-5", "right", 20), wire("left", "right", 5),
                              wire("0", "4", 1)};
    network.topology.wires.back().direction = hardware::WireDirection::forth;
    network.topology.wires.back().cost = 9;
    const Fabric fabric = build_fabric(network, 5);
    EXPECT_EQ(fabric.graph.nodes().size(), 8U);
    EXPECT_EQ(fabric.graph.links().size(), 2U * 7U + 1U);
    EXPECT_EQ(way(fabric, 1, 4), " left right 4");
    EXPECT_EQ(leaving(fabric, {"0"}), 11e9);
    EXPECT_EQ(leaving(fabric, {"4"}), 20e9);
    EXPECT_THAT(refusal(network, 7), HasSubstr("has 6 devices, and the job needs 7"));
}

TEST(Fabric, DegradedLinksHaveLess) {
    hardware::NetworkSpec network = flat_network(TopologyKind::fat_tree);
    network.topology.leaf_devices = 2;
    network.topology.degraded = {{"leaf0", "spine0", 0.25, hardware::WireDirection::forth},
                                 {"2-3", "leaf1", 0.5, hardware::WireDirection::both},
                                 {"leaf1", "spine1", 0.0, hardware::WireDirection::both}};
    const Fabric fabric = build_fabric(network, 4);
    EXPECT_EQ(leaving(fabric, {"0", "1", "leaf0"}), 12.5e9);
    EXPECT_EQ(leaving(fabric, {"leaf1", "spine0", "spine1", "0", "1", "leaf0"}), 10e9);  // to 2 and 3
    EXPECT_TRUE(std::ranges::none_of(fabric.graph.node(node(fabric, "spine1")).outgoing, [&](LinkId link) {
        return fabric.graph.link(link).to == node(fabric, "leaf1");
    }));
}

TEST(Fabric, DegradedLinksMustExist) {
    hardware::NetworkSpec network = flat_network(TopologyKind::fat_tree);
    network.topology.leaf_devices = 2;
    network.topology.degraded = {{"leaf0", "spin1", 0.5, hardware::WireDirection::both}};
    EXPECT_THAT(refusal(network, 4), HasSubstr("there is no 'spin1' (did you mean 'spine1'?)"));
    network.topology.degraded = {{"0", "leaf1", 0.5, hardware::WireDirection::both}};
    EXPECT_THAT(refusal(network, 4), HasSubstr("no link between '0' and 'leaf1'"));
}

TEST(Fabric, RefusesWhatIsTooLarge) {
    hardware::NetworkSpec network = flat_network(TopologyKind::dragonfly);
    network.topology.group_routers = 1'000'000'000'000;
    EXPECT_THAT(refusal(network, 8), HasSubstr("links"));
    EXPECT_THAT(refusal(small_network(), 1'000'000'000), HasSubstr("links"));
}

}  // namespace
}  // namespace dse::netsim::flow
