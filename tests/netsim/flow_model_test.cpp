#include "dse/netsim/flow_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/base/time_quantum.hpp"
#include "dse/model/network/multi_dim.hpp"
#include "netsim/flow/machines.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;
using hardware::Algorithm;
using hardware::DimensionKind;
using hardware::TopologyKind;

constexpr double tolerance = 100 * time_quantum;

Mesh mesh_of(std::int64_t tp, std::int64_t dp, std::int64_t pp = 1) {
    return Mesh::dense(tp, 1, dp, pp);
}

graph::Collective over(CollectiveKind kind, graph::AxisSet axes, double bytes) {
    graph::Collective collective;
    collective.kind = kind;
    collective.axes = axes;
    collective.size = Bytes{bytes};
    return collective;
}

double time(const hardware::NetworkSpec& network, CollectiveKind kind, graph::AxisSet axes, double bytes,
            const Mesh& mesh) {
    return FlowModel{network}.collective(over(kind, axes, bytes), mesh).value();
}

TEST(FlowModel, CountsLoadsAsMultiDimDoes) {
    // Symmetric patterns load links alike, and then a max–min share is the busiest link's: multi_dim counts
    // that, flow plays it.
    struct Case {
        DimensionKind kind;
        std::int64_t size;
        Algorithm algorithm;
    };
    const Case cases[] = {
        {DimensionKind::ring, 7, Algorithm::ring},
        {DimensionKind::ring, 7, Algorithm::direct},
        {DimensionKind::mesh, 6, Algorithm::ring},
        {DimensionKind::mesh, 6, Algorithm::direct},
        {DimensionKind::mesh, 8, Algorithm::halving_doubling},
        {DimensionKind::switched, 8, Algorithm::ring},
        {DimensionKind::switched, 8, Algorithm::direct},
        {DimensionKind::switched, 12, Algorithm::halving_doubling},
        {DimensionKind::fully_connected, 8, Algorithm::direct},
        {DimensionKind::fully_connected, 8, Algorithm::halving_doubling},
    };
    for (const Case& shape : cases) {
        hardware::NetworkSpec network = test::small_network();
        network.dimensions.push_back(test::dimension(shape.kind, shape.size, shape.algorithm));
        network.dimensions[0].link.latency = Seconds{};
        const Mesh mesh = mesh_of(shape.size, 1);
        for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                          CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
            const bool passes_on =
                kind == CollectiveKind::all_to_all && shape.algorithm == Algorithm::halving_doubling;
            if (passes_on && shape.kind != DimensionKind::switched) continue;
            const auto collective = over(kind, MeshAxis::tensor, 64e6);
            SCOPED_TRACE(std::string{graph::name(kind)} + " by " +
                         std::string{hardware::name(shape.algorithm)} + " on " +
                         std::string{choice_names(shape.kind)[static_cast<std::size_t>(shape.kind)]});
            EXPECT_NEAR(FlowModel{network}.collective(collective, mesh).value(),
                        model::MultiDim{network}.collective(collective, mesh).value(), tolerance);
        }
    }
}

TEST(FlowModel, LatenciesOfARingAreThoseOfItsSteps) {
    hardware::NetworkSpec network = test::small_network();
    network.dimensions.push_back(test::dimension(DimensionKind::switched, 8, Algorithm::ring));
    network.collective.launch = Seconds{3e-6};
    // 14 steps of two links of 1 us, 2 · 7/8 of 8 MB at 50 GB/s.
    EXPECT_NEAR(time(network, CollectiveKind::all_reduce, MeshAxis::tensor, 8e6, mesh_of(8, 1)),
                3e-6 + 28e-6 + 14e6 / 50e9, tolerance);
}

TEST(FlowModel, GroupsOfOneAxisShareLinks) {
    // A ring of 8, tp 2 inside: the groups of dp = 4 are 2 apart and interleaved, so every link carries both
    // groups' messages: twice the load of one group alone on a ring of 4.
    hardware::NetworkSpec network = test::small_network();
    network.dimensions.push_back(test::dimension(DimensionKind::ring, 8, Algorithm::ring));
    network.dimensions[0].link.latency = Seconds{};
    const double two = time(network, CollectiveKind::all_gather, MeshAxis::data, 8e6, mesh_of(2, 4));
    network.dimensions[0].size = 4;
    const double one = time(network, CollectiveKind::all_gather, MeshAxis::data, 8e6, mesh_of(1, 4));
    EXPECT_NEAR(two, 2 * one, tolerance);
}

TEST(FlowModel, OversubscriptionHurtsWhatCrossesIt) {
    hardware::NetworkSpec network = test::flat_network(TopologyKind::fat_tree);
    network.topology.leaf_devices = 4;
    network.topology.paths = hardware::PathChoice::adaptive;
    const auto gather = [&](std::int64_t tp, std::int64_t dp, graph::AxisSet axes) {
        return time(network, CollectiveKind::all_to_all, axes, 40e6, mesh_of(tp, dp));
    };
    const double inside = gather(4, 4, MeshAxis::tensor);
    const double across = gather(4, 4, MeshAxis::data);
    network.scale_out.oversubscription = 4.0;
    EXPECT_EQ(gather(4, 4, MeshAxis::tensor), inside);
    // All traffic of dp = 4 leaves its leaf, by a quarter of the bandwidth.
    EXPECT_GT(gather(4, 4, MeshAxis::data), 3.9 * (across - 8e-6));
}

TEST(FlowModel, RailsWithoutSpinesRelay) {
    // All-to-all of 8 devices in two domains, 8 MB each: of a device's 7 messages of 1 MB, one goes along its
    // rail and three to other rails of the other domain.
    hardware::NetworkSpec network = test::small_network(TopologyKind::rail);
    network.topology.cross_rail = hardware::CrossRail::relay;
    // Every port carries 4 MB at 10 GB/s, wherever the messages come from; the domain is quick.
    const double relayed = time(network, CollectiveKind::all_to_all, MeshAxis::data, 8e6, mesh_of(1, 8));
    EXPECT_NEAR(relayed, 400e-6, 15e-6);
    network.scale_up.link.bandwidth = BytesPerSecond{10e9};
    // Now the domain's links carry 3 MB of their own and 3 MB of relayed messages each way.
    EXPECT_GT(time(network, CollectiveKind::all_to_all, MeshAxis::data, 8e6, mesh_of(1, 8)), 590e-6);
}

TEST(FlowModel, DragonflyTrafficBetweenTwoGroupsNeedsDetours) {
    // Every device of a group sends to the next group, and there is one link between them.
    hardware::NetworkSpec network = test::flat_network(TopologyKind::dragonfly);
    network.topology.router_devices = 2;
    network.topology.group_routers = 4;
    network.topology.router_globals = 2;
    const Mesh mesh = mesh_of(8, 9);
    const auto shift = over(CollectiveKind::ring_shift, MeshAxis::data, 10e6);
    const double minimal = FlowModel{network}.collective(shift, mesh).value();
    // 8 devices of 10 MB share a link of 10 GB/s: 8 ms and a message's latency of 8 us.
    EXPECT_NEAR(minimal, 8e-3 + 8e-6, tolerance);
    network.topology.paths = hardware::PathChoice::valiant;
    EXPECT_LT(FlowModel{network}.collective(shift, mesh).value(),
              0.8 * minimal);  // hashes leave some links with more than their part
}

TEST(FlowModel, ASlowLinkSlowsTheCollective) {
    hardware::NetworkSpec network = test::flat_network(TopologyKind::two_level);
    network.topology.collectives = Algorithm::ring;
    const Mesh mesh = mesh_of(1, 8);
    const double healthy = time(network, CollectiveKind::all_gather, MeshAxis::data, 80e6, mesh);
    network.topology.degraded = {{"5", "core0", 0.5, hardware::WireDirection::forth}};
    const double degraded = time(network, CollectiveKind::all_gather, MeshAxis::data, 80e6, mesh);
    // 7 steps of 8 us and of 10 MB: a ring is as slow as its slowest link.
    EXPECT_NEAR(healthy, 56e-6 + 70e6 / 10e9, tolerance);
    EXPECT_NEAR(degraded, 56e-6 + 70e6 / 5e9, tolerance);
}

TEST(FlowModel, UnevenGroupsTakeWhatTheyCross) {
    // Groups of 3 in domains of 4 are flat rings.
    hardware::NetworkSpec network = test::small_network();
    network.topology.collectives = Algorithm::ring;
    EXPECT_GT(time(network, CollectiveKind::all_gather, MeshAxis::tensor, 3e6, mesh_of(3, 4)), 2e6 / 10e9);
}

TEST(FlowModel, MessagesOfAllPairsOfStagesRunAtOnce) {
    // Two stages of 4 in one domain each: every pair has ports of its own.
    hardware::NetworkSpec network = test::small_network();
    network.collective.message_launch = Seconds{1e-6};
    const Mesh mesh = mesh_of(4, 1, 2);
    EXPECT_NEAR(FlowModel{network}.transfer(Bytes{1e6}, mesh, 0, 1).value(), 1e-6 + 8e-6 + 100e-6, tolerance);
    network.scale_out.oversubscription = 4.0;
    EXPECT_NEAR(FlowModel{network}.transfer(Bytes{1e6}, mesh, 0, 1).value(), 1e-6 + 8e-6 + 400e-6, tolerance);
    EXPECT_EQ(FlowModel{network}.transfer(Bytes{1e6}, mesh, 1, 1).value(), 0.0);
}

TEST(FlowModel, JobsOnOneFabricShareWhatTheyBothCross) {
    hardware::NetworkSpec network = test::small_network(TopologyKind::fat_tree);
    network.topology.leaf_devices = 8;
    network.scale_out.oversubscription = 8.0;
    const auto shift = [&](std::int64_t jobs, hardware::Placement placement) {
        network.topology.jobs = jobs;
        network.topology.placement = placement;
        return FlowModel{network}.transfer(Bytes{1e6}, mesh_of(4, 1, 2), 0, 1).value();
    };
    // Leaves of two domains: packed, a job lies below one leaf, and its 4 messages of 1 MB have their ports.
    EXPECT_NEAR(shift(1, hardware::Placement::packed), 8e-6 + 100e-6, tolerance);
    EXPECT_NEAR(shift(2, hardware::Placement::packed), 8e-6 + 100e-6, tolerance);
    // Interleaved, domains 0 and 1 of the first leaf send to 2 and 3 of the second: 8 messages share 10 GB/s.
    EXPECT_NEAR(shift(2, hardware::Placement::interleaved), 8e-6 + 800e-6, tolerance);
}

TEST(FlowModel, MoreBandwidthIsNeverSlower) {
    for (const TopologyKind kind :
         {TopologyKind::two_level, TopologyKind::fat_tree, TopologyKind::rail, TopologyKind::dragonfly}) {
        hardware::NetworkSpec network = test::small_network(kind);
        network.topology.leaf_devices = 4;
        network.topology.router_devices = 2;
        network.collective.chunks = 3;
        network.scale_out.oversubscription = 1.5;
        for (const CollectiveKind collective : {CollectiveKind::all_reduce, CollectiveKind::all_to_all}) {
            double before = time(network, collective, MeshAxis::data, 5e6, mesh_of(1, 32));
            for (int k = 0; k < 4; ++k) {
                hardware::LinkSpec& link = k % 2 == 0 ? network.scale_out.link : network.scale_up.link;
                link.bandwidth *= 1.5;
                const double now = time(network, collective, MeshAxis::data, 5e6, mesh_of(1, 32));
                EXPECT_LE(now, before * (1.0 + 1e-9));
                before = now;
            }
        }
    }
}

TEST(FlowModel, GoesOnAfterWhatItRefused) {
    hardware::NetworkSpec network = test::flat_network(TopologyKind::two_level);
    network.topology.degraded = {{"3", "core0", 0.0, hardware::WireDirection::both}};
    const FlowModel model{network};
    const auto gather = over(CollectiveKind::all_gather, MeshAxis::tensor, 2e6);
    EXPECT_THROW(static_cast<void>(model.collective(gather, mesh_of(2, 2))), ModelError);
    EXPECT_NEAR(model.transfer(Bytes{1e6}, mesh_of(1, 2, 2), 0, 0).value(), 0.0, tolerance);
    EXPECT_THROW(static_cast<void>(model.collective(gather, mesh_of(2, 2))), ModelError);
}

TEST(FlowModel, NothingTakesNoTime) {
    EXPECT_EQ(time(test::small_network(), CollectiveKind::all_reduce, MeshAxis::tensor, 1e6, mesh_of(1, 4)),
              0.0);
    EXPECT_EQ(time(test::small_network(), CollectiveKind::all_reduce, MeshAxis::data, 0.0, mesh_of(1, 4)),
              0.0);
}

}  // namespace
}  // namespace dse::netsim
