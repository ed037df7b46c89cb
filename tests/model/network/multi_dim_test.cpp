#include "dse/model/network/multi_dim.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/model/network/job_dimensions.hpp"
#include "dse/model/network/latency_bandwidth.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::Collective;
using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;
using hardware::Algorithm;
using hardware::DimensionKind;
using hardware::DimensionOrder;

constexpr Bytes megabyte{1e6};
constexpr std::array all_kinds{CollectiveKind::all_reduce,     CollectiveKind::all_gather,
                               CollectiveKind::reduce_scatter, CollectiveKind::all_to_all,
                               CollectiveKind::broadcast,      CollectiveKind::ring_shift};

Collective over(CollectiveKind kind, graph::AxisSet axes, Bytes size = megabyte) {
    return {.kind = kind, .axes = axes, .size = size};
}

/// A ring of 4 with 10 GB/s and 1 us a link, in a switch with 5 GB/s and 2 us a link.
hardware::NetworkSpec ring_in_switch() {
    hardware::NetworkSpec network = plain_network();
    network.dimensions.push_back(plain_dimension(DimensionKind::ring, 4, 10, 1));
    network.dimensions.push_back(plain_dimension(DimensionKind::switched, 0, 5, 2));
    return network;
}

TEST(MultiDim, of_one_level_is_the_textbook_form) {
    // Halving and doubling, and direct all-to-all: what LatencyBandwidth says of a power of two.
    const MultiDim multi_dim{plain_network()};
    const LatencyBandwidth two_levels{plain_network()};
    for (const CollectiveKind kind : all_kinds) {
        const Collective work = over(kind, MeshAxis::tensor);
        EXPECT_SOFT_EQ(two_levels.collective(work, Mesh::dense(8, 1, 4, 1)),
                       multi_dim.collective(work, Mesh::dense(8, 1, 4, 1)))
            << graph::name(kind);
        const Collective across = over(kind, MeshAxis::data);
        EXPECT_SOFT_EQ(two_levels.collective(across, Mesh::dense(8, 1, 4, 1)),
                       multi_dim.collective(across, Mesh::dense(8, 1, 4, 1)))
            << graph::name(kind);
    }
}

TEST(MultiDim, one_chunk_passes_one_dimension_after_the_other) {
    hardware::NetworkSpec network = ring_in_switch();
    network.collective.chunks = 1;
    const MultiDim model{network};
    const Mesh mesh = Mesh::dense(1, 1, 8, 1);
    // Ring of 4: 2 · 3 steps of 1 us, 2 · 3/4 of 100 us over two ways: 75 us. Switch of 2, a quarter of the
    // vector: 2 · 1 step of 4 us, 2 · 1/2 · 50 us.
    EXPECT_SOFT_EQ(Seconds{(6 + 75 + 8 + 50) * 1e-6},
                   model.collective(over(CollectiveKind::all_reduce, MeshAxis::data), mesh));
    EXPECT_SOFT_EQ(Seconds{(3 + 37.5 + 4 + 25) * 1e-6},
                   model.collective(over(CollectiveKind::all_gather, MeshAxis::data), mesh));
    // All-to-all: the whole vector along each. Ring: 4/8 · 100 us, 2 us; switch: 1/2 · 200 us, 4 us.
    EXPECT_SOFT_EQ(Seconds{(2 + 50 + 4 + 100) * 1e-6},
                   model.collective(over(CollectiveKind::all_to_all, MeshAxis::data), mesh));
    // Shifts pass both at the same time: 100 us along the ring, 200 us through the switch.
    EXPECT_SOFT_EQ(Seconds{(1 + 4 + 200) * 1e-6},
                   model.collective(over(CollectiveKind::ring_shift, MeshAxis::data), mesh));
}

TEST(MultiDim, all_reduce_takes_the_better_of_its_algorithm_and_the_switch) {
    hardware::NetworkSpec network = plain_network();
    network.dimensions.push_back(plain_dimension(DimensionKind::switched, 8, 100, 0.5));
    const auto time = [&](CollectiveKind kind, std::int64_t members) {
        return MultiDim{network}.collective(over(kind, MeshAxis::tensor), Mesh::dense(members, 1, 1, 1));
    };
    // 2 · 7/8 MB at 100 GB/s, 2 · 3 · 2 links; in the switch 1 MB at 80 GB/s, 4 links.
    EXPECT_SOFT_EQ(Seconds{(17.5 + 6) * 1e-6}, time(CollectiveKind::all_reduce, 8));
    const Seconds gather = time(CollectiveKind::all_gather, 8);
    network.dimensions[0].reduction = {0.8, 5};
    EXPECT_SOFT_EQ(Seconds{(12.5 + 2) * 1e-6}, time(CollectiveKind::all_reduce, 8));
    EXPECT_EQ(gather, time(CollectiveKind::all_gather, 8));
    // Too few members: 2 · 3/4 MB, 2 · 2 · 2 links.
    EXPECT_SOFT_EQ(Seconds{(15.0 + 4) * 1e-6}, time(CollectiveKind::all_reduce, 4));
    // A named algorithm stays.
    network.dimensions[0].algorithm = Algorithm::ring;
    EXPECT_SOFT_EQ(Seconds{(17.5 + 14) * 1e-6}, time(CollectiveKind::all_reduce, 8));
}

TEST(MultiDim, a_switch_that_reduces_leaves_a_share_for_the_dimensions_after_it) {
    hardware::NetworkSpec network = plain_network();
    network.scale_up.reduction = {0.8, 2};
    network.collective.chunks = 1;
    // Domain: 1 MB at 80 GB/s, 2 us; across 8 members share 2 · 3/4 MB at 10 GB/s, 2 · 2 · 5 us.
    const Collective all =
        over(CollectiveKind::all_reduce, graph::AxisSet{MeshAxis::tensor} | MeshAxis::data);
    const Mesh mesh = Mesh::dense(8, 1, 4, 1);
    EXPECT_SOFT_EQ(Seconds{(12.5 + 2 + 150.0 / 8 + 20) * 1e-6}, MultiDim{network}.collective(all, mesh));
}

TEST(MultiDim, chunks_hide_the_shorter_dimension) {
    hardware::NetworkSpec network = ring_in_switch();
    network.collective.chunks = 5;
    // 75 us in the ring, 50 us in the switch, of which a fifth shows.
    EXPECT_SOFT_EQ(Seconds{(6 + 8 + 75 + 10) * 1e-6},
                   MultiDim{network}.collective(over(CollectiveKind::all_reduce, MeshAxis::data),
                                                Mesh::dense(1, 1, 8, 1)));
}

TEST(MultiDim, balanced_chunks_fill_the_dimension_that_has_less_to_do) {
    hardware::NetworkSpec network = ring_in_switch();
    network.collective.chunks = 2;
    network.collective.dimension_order = DimensionOrder::balanced;
    // Eight switches of four. First order: 37.5 us a chunk in the ring, 1/4 of 2 · 7/8 · 100 us = 43.75 us in
    // the switch: 87.5 + 75 / 2 = 125 us. The first chunk goes that way; the second begins in the ring as
    // well, which has less to do. No gain.
    const Mesh mesh = Mesh::dense(1, 1, 32, 1);
    const Collective work = over(CollectiveKind::all_reduce, MeshAxis::data);
    const Seconds latency{(6 + 2 * 3 * 4) * 1e-6};
    EXPECT_SOFT_EQ(latency + Seconds{125e-6}, MultiDim{network}.collective(work, mesh));
    // With a switch ten times as fast, 4.375 us a chunk: 75 + 8.75 / 2 = 79.375 us ascending. Balanced, the
    // second chunk begins in the switch: 17.5 us there, then an eighth of 37.5 us in the ring. Loads 42.1875
    // and 21.875 us: 42.1875 + 21.875 / 2 us.
    network.dimensions[1].link.bandwidth = BytesPerSecond{50e9};
    EXPECT_SOFT_EQ(latency + Seconds{(42.1875 + 21.875 / 2) * 1e-6},
                   MultiDim{network}.collective(work, mesh));
}

TEST(MultiDim, groups_share_the_links_between_their_members) {
    hardware::NetworkSpec network = plain_network();
    network.dimensions.push_back(plain_dimension(DimensionKind::ring, 8, 10, 1));
    const MultiDim model{network};
    // Groups of four, every second device: two groups on the same links. 3 steps over two links, 3/4 · 100 us
    // over two ways, twice.
    EXPECT_SOFT_EQ(
        Seconds{(6 + 75) * 1e-6},
        model.collective(over(CollectiveKind::all_gather, MeshAxis::data), Mesh::dense(2, 1, 4, 1)));
    // Neighbours: an open line each.
    EXPECT_SOFT_EQ(
        Seconds{(6 + 75) * 1e-6},
        model.collective(over(CollectiveKind::all_gather, MeshAxis::tensor), Mesh::dense(4, 1, 2, 1)));
}

TEST(MultiDim, a_message_takes_its_slowest_dimension_and_all_latencies) {
    const MultiDim model{ring_in_switch()};
    // Stages of two devices: two links on the ring, which two devices use: 2 · 100 us, 2 us.
    EXPECT_SOFT_EQ(Seconds{202e-6}, model.transfer(megabyte, Mesh::dense(2, 1, 1, 4), 0, 1));
    // Stages of four: through the switch, 200 us and 4 us.
    EXPECT_SOFT_EQ(Seconds{204e-6}, model.transfer(megabyte, Mesh::dense(4, 1, 1, 4), 0, 1));
    EXPECT_EQ(model.transfer(megabyte, Mesh::dense(4, 1, 1, 4), 1, 1), Seconds{});
}

TEST(MultiDim, a_tree_serves_the_outermost_dimension_only) {
    hardware::NetworkSpec network = ring_in_switch();
    network.collective.chunks = 1;
    network.dimensions[1].algorithm = Algorithm::double_binary_tree;
    const Collective work = over(CollectiveKind::all_reduce, MeshAxis::data);
    // Ring of 4 as ever: 6 and 75 us. Switch of 4: 2 · 2 levels of 4 us, 2 · 50 us.
    EXPECT_SOFT_EQ(Seconds{(6 + 75 + 16 + 100) * 1e-6},
                   MultiDim{network}.collective(work, Mesh::dense(1, 1, 16, 1)));
    network.dimensions[0].algorithm = Algorithm::double_binary_tree;
    EXPECT_THROW(static_cast<void>(MultiDim{network}.collective(work, Mesh::dense(1, 1, 16, 1))), ModelError);
}

TEST(MultiDim, nothing_to_do_takes_no_time_and_uneven_groups_are_refused) {
    const MultiDim model{ring_in_switch()};
    EXPECT_EQ(model.collective(over(CollectiveKind::all_reduce, MeshAxis::tensor), Mesh::dense(1, 1, 8, 1)),
              Seconds{});
    EXPECT_EQ(
        model.collective(over(CollectiveKind::all_reduce, MeshAxis::data, Bytes{}), Mesh::dense(1, 1, 8, 1)),
        Seconds{});
    EXPECT_THROW(static_cast<void>(model.collective(over(CollectiveKind::all_reduce, MeshAxis::tensor),
                                                    Mesh::dense(3, 1, 4, 1))),
                 ModelError);
}

/// Three dimensions of any kind, a job that fills them, and a collective of it.
struct RandomCase {
    hardware::NetworkSpec network;
    Mesh mesh;
    Collective work;

    explicit RandomCase(std::mt19937_64& random) : network{plain_network()} {
        std::int64_t devices = 1;
        for (int d = 0; d < 3; ++d) {
            const auto kind = static_cast<DimensionKind>(random() % 4);
            const std::int64_t size = std::int64_t{2} << random() % 3;
            network.dimensions.push_back(plain_dimension(kind, size, static_cast<double>(1 + random() % 400),
                                                         0.01 * static_cast<double>(random() % 500)));
            network.dimensions[network.dimensions.size() - 1].algorithm =
                static_cast<Algorithm>(random() % 4);
            if (kind == DimensionKind::switched && random() % 2 == 0) {
                network.dimensions[network.dimensions.size() - 1].reduction.efficiency =
                    0.1 * static_cast<double>(3 + random() % 7);
            }
            devices *= size;
        }
        network.collective.chunks = 1 + static_cast<std::int64_t>(random() % 8);
        mesh = Mesh::dense(2, 1, devices / 2, 1);
        const graph::AxisSet all = graph::AxisSet{MeshAxis::tensor} | MeshAxis::data;
        work = over(all_kinds[random() % all_kinds.size()], random() % 2 == 0 ? all : MeshAxis::data);
    }

    [[nodiscard]] Seconds time() const { return MultiDim{network}.collective(work, mesh); }
};

TEST(MultiDim, more_bandwidth_and_less_latency_are_never_slower) {
    std::mt19937_64 random{3};
    int faster = 0;
    for (int i = 0; i < 2000; ++i) {
        RandomCase one{random};
        const Seconds before = one.time();
        hardware::LinkSpec& link = one.network.dimensions[random() % 3].link;
        if (random() % 2 == 0) {
            link.bandwidth = link.bandwidth * 1.5;
        } else {
            link.latency = link.latency * 0.5;
        }
        const Seconds after = one.time();
        ASSERT_LE(after, before) << i;
        faster += after < before ? 1 : 0;
        ASSERT_GT(after, Seconds{});
    }
    EXPECT_GT(faster, 500);
}

TEST(MultiDim, the_balanced_order_is_never_slower) {
    std::mt19937_64 random{4};
    int faster = 0;
    for (int i = 0; i < 1000; ++i) {
        RandomCase one{random};
        const Seconds ascending = one.time();
        one.network.collective.dimension_order = DimensionOrder::balanced;
        const Seconds balanced = one.time();
        ASSERT_LE(balanced, ascending) << i;
        faster += balanced < ascending ? 1 : 0;
    }
    EXPECT_GT(faster, 100);
}

}  // namespace
}  // namespace dse::model
