#include "netsim/flow_play.hpp"

#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "dse/base/time_quantum.hpp"
#include "dse/netsim/flow_model.hpp"
#include "netsim/flow/machines.hpp"

namespace dse::netsim {
namespace {

using graph::Mesh;
using graph::MeshAxis;

constexpr double tolerance = 100 * time_quantum;

graph::Collective reduce() {
    graph::Collective collective;
    collective.axes = MeshAxis::data;
    collective.size = Bytes{64e6};
    return collective;
}

/// When the last thing ends.
double drain(FlowPlay& play) {
    while (play.next_time() < std::numeric_limits<double>::infinity()) play.advance(play.next_time());
    return play.now();
}

TEST(FlowPlay, AllGroupsAtOnceTakeWhatTheModelSays) {
    hardware::NetworkSpec network = test::small_network();
    network.collective.launch = Seconds{3e-6};
    network.collective.chunks = 4;
    const Mesh mesh = Mesh::dense(2, 1, 8, 1);
    FlowPlay play{network, mesh};
    for (const std::int64_t rank : {0, 1}) play.begin(reduce(), mesh.group(MeshAxis::data, rank), 1.0);
    EXPECT_NEAR(drain(play), FlowModel{network}.collective(reduce(), mesh).value(), tolerance);
}

TEST(FlowPlay, OtherJobsAreInStep) {
    hardware::NetworkSpec network = test::small_network(hardware::TopologyKind::fat_tree);
    network.topology.leaf_devices = 8;
    network.scale_out.oversubscription = 8.0;
    network.topology.jobs = 2;
    network.topology.placement = hardware::Placement::interleaved;
    const Mesh mesh = Mesh::dense(4, 1, 2, 1);
    FlowPlay play{network, mesh};
    for (const std::int64_t rank : {0, 1, 2, 3}) play.begin(reduce(), mesh.group(MeshAxis::data, rank), 1.0);
    EXPECT_NEAR(drain(play), FlowModel{network}.collective(reduce(), mesh).value(), tolerance);
}

TEST(FlowPlay, PartsTakeTogetherWhatTheWholeTakes) {
    hardware::NetworkSpec network = test::small_network();
    network.collective.launch = Seconds{3e-6};
    const Mesh mesh = Mesh::dense(1, 1, 8, 1);
    FlowPlay play{network, mesh};
    for (const double share : {0.25, 0.75}) {
        play.begin(reduce(), mesh.group(MeshAxis::data, 0), share);
        drain(play);
    }
    EXPECT_NEAR(play.now(), FlowModel{network}.collective(reduce(), mesh).value(), tolerance);
}

TEST(FlowPlay, MessagesAndExchangesEndByName) {
    hardware::NetworkSpec network = test::flat_network(hardware::TopologyKind::two_level);
    network.collective.message_launch = Seconds{1e-6};
    FlowPlay play{network, Mesh::dense(1, 1, 4, 1)};
    const auto message = play.begin(Bytes{1e6}, 0, 1, 1.0);
    graph::Collective swap = reduce();
    swap.size = Bytes{2e6};
    swap.members = graph::Members::ends;
    const auto exchange = play.begin(swap, std::array<std::int64_t, 2>{2, 3}, 1.0);
    EXPECT_TRUE(play.advance(play.next_time()).empty());  // both enter after launch and latency
    const auto first = play.advance(play.next_time());
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0], message);
    EXPECT_NEAR(play.now(), 1e-6 + 8e-6 + 100e-6, tolerance);
    const auto second = play.advance(play.next_time());
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second[0], exchange);
    EXPECT_NEAR(play.now(), 1e-6 + 8e-6 + 200e-6, tolerance);  // both ways at once
}

}  // namespace
}  // namespace dse::netsim
