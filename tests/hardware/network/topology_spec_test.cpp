#include "dse/hardware/network/topology_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(TopologySpec, says_nothing_by_default) {
    const TopologySpec topology;
    EXPECT_TRUE(problems_of(topology).empty());
    EXPECT_EQ(topology.kind, TopologyKind::automatic);
    EXPECT_EQ(topology.sharing, Sharing::collective);
}

TEST(TopologySpec, reads_its_fields) {
    TopologySpec topology;
    EXPECT_EQ(errors_of("kind: wires\n"
                        "paths: ecmp\n"
                        "path_seed: 7\n"
                        "collectives: ring\n"
                        "sharing: everything\n"
                        "jobs: 2\n"
                        "placement: interleaved\n"
                        "wires:\n"
                        "  - {from: 0-3, to: leaf0, bandwidth: 50 GB/s, latency: 1 us}\n"
                        "  - {from: 4-7, to: leaf0, bandwidth: 25 GB/s, latency: 1 us}\n"
                        "degraded:\n"
                        "  - {from: 3, to: leaf0, factor: 0.5}\n",
                        topology),
              "");
    EXPECT_EQ(topology.paths, PathChoice::ecmp);
    EXPECT_EQ(topology.collectives, Algorithm::ring);
    EXPECT_EQ(topology.jobs, 2);
    EXPECT_EQ(topology.placement, Placement::interleaved);
    ASSERT_EQ(topology.wires.size(), 2U);
    EXPECT_EQ(topology.wires[1].link.bandwidth, BytesPerSecond{25e9});
    ASSERT_EQ(topology.degraded.size(), 1U);
    EXPECT_EQ(topology.degraded[0].factor, 0.5);
}

TEST(TopologySpec, errors_stand_at_their_lines) {
    TopologySpec topology;
    const std::string errors = errors_of(
        "kind: wires\n"
        "wires:\n"
        "  - {from: 0-3, to: leaf0, bandwith: 50 GB/s, latency: 1 us}\n"
        "  - {from: 4-7, to: leav0, bandwidth: 25 GB/s, latency: 1 us}\n"
        "  - {from: 5, to: 7-5, bandwidth: 25, latency: 1 us}\n",
        topology);
    EXPECT_NE(errors.find(":3:"), std::string::npos) << errors;
    EXPECT_NE(errors.find("bandwidth"), std::string::npos) << errors;
    EXPECT_NE(errors.find(":5:"), std::string::npos) << errors;
}

TEST(TopologySpec, names_problems) {
    TopologySpec topology;
    topology.jobs = 0;
    topology.leaf_devices = 0;
    topology.core_oversubscription = 0.5;
    topology.paths = PathChoice::valiant;
    topology.collectives = Algorithm::double_binary_tree;
    topology.degraded = {{"a", "b", 2.0, WireDirection::both}};
    EXPECT_EQ(keys(problems_of(topology)), (Keys{"jobs", "leaf_devices", "core_oversubscription", "paths",
                                                 "collectives", "degraded.0.factor"}));
    TopologySpec empty;
    empty.kind = TopologyKind::wires;
    EXPECT_EQ(keys(problems_of(empty)), Keys{"kind"});
    TopologySpec unread;
    unread.wires.resize(1);
    unread.wires[0] = {"0", "leaf", {BytesPerSecond{1e9}, Seconds{}, 1.0}, 1, WireDirection::both};
    EXPECT_EQ(keys(problems_of(unread)), (Keys{"wires", "wires.0.to"}));
}

}  // namespace
}  // namespace dse::hardware
