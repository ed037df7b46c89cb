#include "dse/netsim/astra_sim.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::netsim {
namespace {

using graph::Collective;
using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;
using hardware::Algorithm;
using hardware::DimensionKind;

/// ASTRA-sim's usual example: a ring of 8 with 50 "GB/s" and 500 ns.
hardware::NetworkSpec ring_of_8() {
    hardware::NetworkSpec network = model::plain_network();
    network.dimensions.push_back(model::plain_dimension(DimensionKind::ring, 8, 50, 0.5));
    network.astra_sim.reduction_bandwidth = BytesPerSecond{1600e9};
    return network;
}

double ticks_of(const hardware::NetworkSpec& network, const Collective& work, const Mesh& mesh) {
    return AstraSim{network}.collective(work, mesh).value() * 1e9;
}

TEST(AstraSim, answers_in_its_ticks) {
    const auto work = [](CollectiveKind kind) {
        return Collective{.kind = kind, .axes = MeshAxis::data, .size = Bytes{65536}};
    };
    const Mesh mesh = Mesh::dense(1, 1, 8, 1);
    // 4 chunks of 16 KiB, each 10 + 7 · (538 + 10 + 3) + 7 · (538 + 10), see phase_time_test.
    EXPECT_SOFT_EQ(4 * 7703.0, ticks_of(ring_of_8(), work(CollectiveKind::all_reduce), mesh));
    // 64 KiB gathered are 8 KiB a device, 2 KiB a chunk.
    EXPECT_SOFT_EQ(4 * (10 + 7 * 548.0), ticks_of(ring_of_8(), work(CollectiveKind::all_gather), mesh));
    // A message of 64 KiB: 500 + 1,220.7 ticks.
    EXPECT_SOFT_EQ(1720.0, ticks_of(ring_of_8(), work(CollectiveKind::ring_shift), mesh));
    EXPECT_THROW(static_cast<void>(AstraSim{ring_of_8()}.collective(work(CollectiveKind::broadcast), mesh)),
                 ModelError);
}

TEST(AstraSim, writes_the_files_that_one_would_write) {
    hardware::NetworkSpec network = model::plain_network();
    network.scale_up.link.efficiency = 0.5;
    network.collective.chunks = 16;
    network.astra_sim.endpoint_delay = Seconds{25e-9};
    network.astra_sim.active_chunks = 2;
    const AstraSystem system = AstraSim{network}.system(24);
    ASSERT_EQ(system.dimension_count, 2U);
    EXPECT_EQ(system.all_dimensions[0].npus, 8);
    EXPECT_EQ(system.all_dimensions[1].npus, 3);
    // 50 "GB/s"; half of a microsecond for the link into the switch.
    EXPECT_SOFT_EQ(50 * 1.073741824, system.all_dimensions[0].bytes_per_tick);
    EXPECT_SOFT_EQ(500.0, system.all_dimensions[0].latency);
    const auto algorithm = [&](CollectiveKind kind, std::size_t d) {
        return system.algorithms_of(kind).all[d].algorithm;
    };
    EXPECT_EQ(algorithm(CollectiveKind::all_reduce, 0), Algorithm::halving_doubling);
    EXPECT_EQ(algorithm(CollectiveKind::all_reduce, 1), Algorithm::ring);  // three nodes
    EXPECT_EQ(algorithm(CollectiveKind::all_to_all, 1), Algorithm::direct);
    EXPECT_EQ(system.splits, 16);
    EXPECT_EQ(system.active_chunks, 2);
    EXPECT_EQ(system.endpoint_delay, 25);
}

TEST(AstraSim, a_group_is_one_ring) {
    const auto work = [](MeshAxis axis) {
        return Collective{.kind = CollectiveKind::reduce_scatter, .axes = axis, .size = Bytes{65536}};
    };
    // Four neighbours of eight: messages of 4 KiB take 576 ticks over one link and 1,576 back over three,
    // adding them 3 · 2. 4 chunks of 3 steps are three times round.
    const Mesh inner = Mesh::dense(4, 1, 2, 1);
    EXPECT_SOFT_EQ(4 * (10 + 3 * 10 + 3 * 6.0) + 3 * (3 * 576 + 1576),
                   ticks_of(ring_of_8(), work(MeshAxis::tensor), inner));
    // Every second device: two links everywhere.
    const Mesh outer = Mesh::dense(2, 1, 4, 1);
    EXPECT_SOFT_EQ(4 * (10 + 3 * 10 + 3 * 6.0) + 12 * 1076.0,
                   ticks_of(ring_of_8(), work(MeshAxis::data), outer));
}

TEST(AstraSim, what_is_played_is_played_once_and_stays_the_same) {
    hardware::NetworkSpec network = ring_of_8();
    network.dimensions[0].algorithm = Algorithm::double_binary_tree;
    const AstraSim model{network};
    const Collective work{.kind = CollectiveKind::all_reduce, .axes = MeshAxis::data, .size = Bytes{65536}};
    // conformance/astra_sim: Ring8, doubleBinaryTree, 64 KiB.
    EXPECT_SOFT_EQ(Seconds{33755e-9}, model.collective(work, Mesh::dense(1, 1, 8, 1)));
    EXPECT_SOFT_EQ(Seconds{33755e-9}, model.collective(work, Mesh::dense(1, 1, 8, 1)));
}

TEST(AstraSim, of_uneven_groups_takes_the_slowest) {
    // Tensor groups of 3 on a ring of 4 within a switch of 3: ranks 0-1-2, 3-4-5, 6-7-8, 9-10-11.
    hardware::NetworkSpec network = ring_of_8();
    network.dimensions[0].size = 4;
    network.dimensions.push_back(model::plain_dimension(DimensionKind::switched, 0, 50, 2));
    const Collective work{.kind = CollectiveKind::ring_shift, .axes = MeshAxis::tensor, .size = Bytes{1000}};
    // In 0-1-2 the way back is two links; every other message differs on the ring in its first dimension, up
    // to two links as well: 4 is next to 3 (positions 0 and 3), 5 two from 3.
    EXPECT_SOFT_EQ(1018.0, ticks_of(network, work, Mesh::dense(3, 1, 4, 1)));
}

TEST(AstraSim, a_message_pays_one_dimension) {
    const AstraSim model{ring_of_8()};
    // 64 KiB to the next stage: over one link of the ring, over two where a stage has two devices.
    EXPECT_SOFT_EQ(Seconds{1720e-9}, model.transfer(Bytes{65536}, Mesh::dense(1, 1, 1, 8), 0, 1));
    EXPECT_SOFT_EQ(Seconds{2220e-9}, model.transfer(Bytes{65536}, Mesh::dense(2, 1, 1, 4), 0, 1));
    EXPECT_SOFT_EQ(Seconds{1720e-9}, model.transfer(Bytes{65536}, Mesh::dense(1, 1, 1, 8), 7, 0));
    EXPECT_EQ(model.transfer(Bytes{65536}, Mesh::dense(1, 1, 1, 8), 3, 3), Seconds{});
}

// Stages 0 and 7 of a ring are neighbours: 4 chunks of 16 KiB, each a message of 8 KiB there and, added, one
// back: 10 + (652 + 10 + 15) + (652 + 10). 8 KiB take 500 + 152.6 ticks, and 5.12 to read twice and to write,
// each cut to whole ticks: 3 · 5.
TEST(AstraSim, two_stages_add_as_a_collective_of_two) {
    const AstraSim model{ring_of_8()};
    const Collective work{.kind = CollectiveKind::all_reduce,
                          .axes = MeshAxis::pipeline,
                          .size = Bytes{65536},
                          .members = graph::Members::ends};
    EXPECT_SOFT_EQ(4 * (10 + 677 + 662.0), model.collective(work, Mesh::dense(1, 1, 1, 8)).value() * 1e9);
    EXPECT_EQ(model.collective(work, Mesh::dense(1, 1, 8, 1)), Seconds{});
}

}  // namespace
}  // namespace dse::netsim
