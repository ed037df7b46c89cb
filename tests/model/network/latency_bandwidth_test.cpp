#include "dse/model/network/latency_bandwidth.hpp"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::Collective;
using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;

constexpr Bytes megabyte{1e6};

// 100 GB/s and 1 us inside domains of 8, 10 GB/s and 5 us across: see plain_network().

TEST(LatencyBandwidth, inside_a_domain_has_the_textbook_forms) {
    const LatencyBandwidth model{plain_network()};
    const Placement eight{8, 1};
    // 1 MB at 100 GB/s: 10 us, of which 7/8 moves; 3 steps of 1 us on a tree of 8.
    EXPECT_SOFT_EQ(Seconds{(17.5 + 6) * 1e-6}, model.collective(CollectiveKind::all_reduce, megabyte, eight));
    EXPECT_SOFT_EQ(Seconds{(8.75 + 3) * 1e-6}, model.collective(CollectiveKind::all_gather, megabyte, eight));
    EXPECT_SOFT_EQ(Seconds{(8.75 + 3) * 1e-6},
                   model.collective(CollectiveKind::reduce_scatter, megabyte, eight));
    EXPECT_SOFT_EQ(Seconds{(8.75 + 1) * 1e-6}, model.collective(CollectiveKind::all_to_all, megabyte, eight));
    EXPECT_SOFT_EQ(Seconds{(10.0 + 3) * 1e-6}, model.collective(CollectiveKind::broadcast, megabyte, eight));
}

TEST(LatencyBandwidth, one_member_a_domain_uses_the_fabric_alone) {
    const LatencyBandwidth model{plain_network()};
    const Placement four{1, 4};
    // 1 MB at 10 GB/s: 100 us, of which 3/4 moves; 2 steps of 5 us.
    EXPECT_SOFT_EQ(Seconds{(150.0 + 20) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte, four));
    EXPECT_SOFT_EQ(Seconds{(75.0 + 10) * 1e-6}, model.collective(CollectiveKind::all_gather, megabyte, four));
    EXPECT_SOFT_EQ(Seconds{(75.0 + 5) * 1e-6}, model.collective(CollectiveKind::all_to_all, megabyte, four));
}

TEST(LatencyBandwidth, the_members_of_a_domain_share_the_fabric_part) {
    const LatencyBandwidth model{plain_network()};
    const Placement two_levels{8, 4};
    // All-reduce: inside 17.5 + 6 us; across 1/8 of the vector: 150/8 = 18.75 + 20 us.
    EXPECT_SOFT_EQ(Seconds{(17.5 + 6 + 18.75 + 20) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte, two_levels));
    // All-to-all: of 32 parts 7 stay inside (2.1875 us), 24 leave (75 us).
    EXPECT_SOFT_EQ(Seconds{(2.1875 + 1 + 75 + 5) * 1e-6},
                   model.collective(CollectiveKind::all_to_all, megabyte, two_levels));
}

TEST(LatencyBandwidth, one_nic_a_domain_carries_the_ring_of_all_members) {
    hardware::NetworkSpec network = plain_network();
    network.nccl.nics = 1;
    const LatencyBandwidth model{network};
    // Of 1 MB, 2 * 31/32 pass the NIC of 8 * 10 GB/s: 24.21875 us. Inside, 17.5 us pass meanwhile.
    EXPECT_SOFT_EQ(Seconds{(24.21875 + 6 + 20) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte, {8, 4}));
    // Half of it gathers or scatters: 12.109375 us, with two domains 15/16 of 12.5 us; 3 steps inside, 2 and
    // 1 across.
    for (const CollectiveKind kind : {CollectiveKind::all_gather, CollectiveKind::reduce_scatter}) {
        EXPECT_SOFT_EQ(Seconds{(12.109375 + 3 + 10) * 1e-6}, model.collective(kind, megabyte, {8, 4}));
        EXPECT_SOFT_EQ(Seconds{(11.71875 + 3 + 5) * 1e-6}, model.collective(kind, megabyte, {8, 2}));
    }
    // Four of a domain's devices have half of the NIC, beside the four of another group.
    EXPECT_SOFT_EQ(Seconds{(21.875 + 2 + 5) * 1e-6},
                   model.collective(CollectiveKind::all_gather, megabyte, {4, 2}));
    // One domain has no use for it, and other collectives do as before.
    EXPECT_SOFT_EQ(Seconds{(17.5 + 6) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte, {8, 1}));
    const LatencyBandwidth many{plain_network()};
    EXPECT_EQ(many.collective(CollectiveKind::all_to_all, megabyte, {8, 4}),
              model.collective(CollectiveKind::all_to_all, megabyte, {8, 4}));
}

/// Two domains of two, each token for two experts. Of two domains a token needs 2·(1 − 1/4) = 1.5, of four
/// devices 4·(1 − 9/16) = 1.75: ¾ and ⅞ of the copies. Half of what a domain gets was there before, and half
/// of what its devices get.
TEST(LatencyBandwidth, a_deduplicated_all_to_all_sends_a_token_once) {
    const LatencyBandwidth model{plain_network()};
    const Placement four{2, 2};
    const graph::Dispatch two{2.0};
    // Every copy by itself: across 1 MB · 1/2 at 10 GB/s, inside 1 MB · 1/2 · 1/2 at 100 GB/s.
    EXPECT_SOFT_EQ(Seconds{(50.0 + 5 + 2.5 + 1) * 1e-6},
                   model.collective(CollectiveKind::all_to_all, megabyte, four));
    EXPECT_SOFT_EQ(Seconds{(0.75 * 50 + 5 + 0.875 * 5 + 1) * 1e-6},
                   model.collective(CollectiveKind::all_to_all, megabyte, four, two));
    // Nothing else has copies.
    EXPECT_EQ(model.collective(CollectiveKind::all_gather, megabyte, four),
              model.collective(CollectiveKind::all_gather, megabyte, four, two));
    Collective sent{CollectiveKind::all_to_all, MeshAxis::data, megabyte};
    sent.dispatch = two;
    const Mesh mesh = Mesh::dense(1, 1, 16, 1);  // two domains of eight
    EXPECT_SOFT_EQ(model.collective(CollectiveKind::all_to_all, megabyte, {8, 2}, two),
                   model.time(communication(sent, mesh)));
}

/// As above. Of four experts that tokens take in turn, a device holds one and a domain two: each token needs
/// two devices, both of them in one domain.
TEST(LatencyBandwidth, neighbouring_experts_are_in_one_domain) {
    const LatencyBandwidth model{plain_network()};
    EXPECT_SOFT_EQ(Seconds{(0.5 * 50 + 5 + 1.0 * 5 + 1) * 1e-6},
                   model.collective(CollectiveKind::all_to_all, megabyte, {2, 2}, {2.0, 4.0}));
}

/// As above, in one domain of four: ⅞ of 1 MB at 10 GB/s, a device's own share included. Links that are
/// slower decide.
TEST(LatencyBandwidth, kernels_of_a_dispatch_may_be_slower_than_links) {
    const LatencyBandwidth model{plain_network()};
    const auto at = [&](double rate) {
        return model.collective(CollectiveKind::all_to_all, megabyte, {4, 1},
                                {2.0, 0.0, BytesPerSecond{rate}});
    };
    EXPECT_SOFT_EQ(Seconds{(87.5 + 1) * 1e-6}, at(10e9));
    EXPECT_EQ(at(1e12), at(0.0));
}

/// Seven links of 100/7 GB/s to the others of a domain: one of them in a pair, three in a group of four.
TEST(LatencyBandwidth, without_a_switch_a_group_uses_the_links_between_its_members) {
    hardware::NetworkSpec network = plain_network();
    network.dimensions.push_back(
        plain_dimension(hardware::DimensionKind::fully_connected, 8, 100.0 / 7.0, 1));
    const LatencyBandwidth model{network};
    const auto all_reduce = [&](Placement group) {
        return model.collective(CollectiveKind::all_reduce, megabyte, group);
    };
    EXPECT_SOFT_EQ(Seconds{(17.5 + 6) * 1e-6}, all_reduce({8, 1}));
    EXPECT_SOFT_EQ(Seconds{(15.0 * 7 / 3 + 4) * 1e-6}, all_reduce({4, 1}));
    EXPECT_SOFT_EQ(Seconds{(10.0 * 7 + 2) * 1e-6}, all_reduce({2, 1}));
    EXPECT_SOFT_EQ(Seconds{71e-6}, model.collective(CollectiveKind::ring_shift, megabyte, {8, 1}));
    EXPECT_SOFT_EQ(Seconds{(150.0 + 20) * 1e-6}, all_reduce({1, 4})) << "the fabric has switches";
    // A ring of all devices is a network whose groups are not known: as with a switch.
    network.dimensions[0].kind = hardware::DimensionKind::ring;
    EXPECT_SOFT_EQ(Seconds{(10.0 + 2) * 1e-6},
                   LatencyBandwidth{network}.collective(CollectiveKind::all_reduce, megabyte, {2, 1}));
}

/// 32 members in 4 domains: a ring has 3 steps of 5 us between domains and 28 of 1 us inside. Each of its
/// links passes 31/32 of the vector.
TEST(LatencyBandwidth, gathers_over_several_domains_pass_from_member_to_member) {
    hardware::NetworkSpec network = plain_network();
    network.collective.gathering = hardware::Gathering::ring;
    const LatencyBandwidth model{network};
    const Placement two_levels{8, 4};
    // 31/32 of 100/8 us across; 7/8 of 10 us inside pass meanwhile.
    const Seconds ring{(12.109375 + 3 * 5 + 28) * 1e-6};
    EXPECT_SOFT_EQ(ring, model.collective(CollectiveKind::all_gather, megabyte, two_levels));
    EXPECT_SOFT_EQ(ring, model.collective(CollectiveKind::reduce_scatter, megabyte, two_levels));
    // Inside a domain, and for other collectives, nothing changes.
    const LatencyBandwidth before{plain_network()};
    for (const Placement& group : {Placement{8, 1}, two_levels}) {
        EXPECT_EQ(before.collective(CollectiveKind::all_reduce, megabyte, group),
                  model.collective(CollectiveKind::all_reduce, megabyte, group));
        EXPECT_EQ(before.collective(CollectiveKind::all_to_all, megabyte, group),
                  model.collective(CollectiveKind::all_to_all, megabyte, group));
    }
    EXPECT_EQ(before.collective(CollectiveKind::all_gather, megabyte, Placement{8, 1}),
              model.collective(CollectiveKind::all_gather, megabyte, Placement{8, 1}));
}

/// The same 32 members reduce level by level, one level after the other, or along rings, at whose 2 * 43 us
/// each link passes 2 * 31/32 of the vector.
TEST(LatencyBandwidth, long_all_reduces_over_several_domains_take_rings) {
    hardware::NetworkSpec network = plain_network();
    network.collective.gathering = hardware::Gathering::ring;
    const Placement two_levels{8, 4};
    const LatencyBandwidth model{network};
    EXPECT_SOFT_EQ(Seconds{(17.5 + 6 + 18.75 + 20) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte, two_levels));
    EXPECT_SOFT_EQ(Seconds{(242.1875 + 86) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte * 10.0, two_levels));
}

/// At 80 GB/s, 10 MB take 125 us there, and meanwhile the trees across: between two domains each sends its
/// half of the vector once and its sum once, of four the busiest all of it twice.
TEST(LatencyBandwidth, trees_across_work_while_switches_reduce) {
    hardware::NetworkSpec network = plain_network();
    network.scale_up.reduction.efficiency = 0.8;
    network.scale_up.reduction.members = 5;
    const LatencyBandwidth model{network};
    EXPECT_SOFT_EQ(Seconds{(125.0 + 2 + 10) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte * 10.0, {8, 2}));
    EXPECT_SOFT_EQ(Seconds{(250.0 + 2 + 20) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte * 10.0, {8, 4}));
}

TEST(LatencyBandwidth, a_ring_shift_takes_its_slowest_link) {
    const LatencyBandwidth model{plain_network()};
    // Every member sends 1 MB once: 10 us + 1 us inside; where the ring leaves the domain, 100 us + 5 us.
    EXPECT_SOFT_EQ(Seconds{11e-6}, model.collective(CollectiveKind::ring_shift, megabyte, Placement{8, 1}));
    EXPECT_SOFT_EQ(Seconds{105e-6}, model.collective(CollectiveKind::ring_shift, megabyte, Placement{8, 4}));
    EXPECT_EQ(Seconds{}, model.collective(CollectiveKind::ring_shift, megabyte, Placement{1, 1}));
}

TEST(LatencyBandwidth, phases_overlap_as_far_as_stated) {
    hardware::NetworkSpec network = plain_network();
    network.collective.phase_overlap = 0.4;
    const LatencyBandwidth model{network};
    EXPECT_SOFT_EQ(Seconds{(18.75 + 0.6 * 17.5 + 26) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte, {8, 4}));
}

TEST(LatencyBandwidth, switches_reduce_large_enough_groups) {
    hardware::NetworkSpec network = plain_network();
    network.scale_up.reduction.efficiency = 0.8;
    network.scale_up.reduction.members = 5;
    const LatencyBandwidth model{network};
    // 1 MB at 80 GB/s: 12.5 us, up and down: 2 us.
    EXPECT_SOFT_EQ(Seconds{14.5e-6}, model.collective(CollectiveKind::all_reduce, megabyte, {8, 1}));
    // 4 members do it themselves: 2 · 3/4 · 10 us and 4 steps.
    EXPECT_SOFT_EQ(Seconds{19e-6}, model.collective(CollectiveKind::all_reduce, megabyte, {4, 1}));
    // Only reductions do.
    EXPECT_SOFT_EQ(Seconds{11.75e-6}, model.collective(CollectiveKind::all_gather, megabyte, {8, 1}));
}

/// plain_network() with an engine's own all-reduce beside the library's.
hardware::NetworkSpec with_own_reduction(Seconds two_step_launch) {
    hardware::NetworkSpec network = plain_network();
    network.collective.launch = Seconds{0.5e-6};
    network.collective.library_launch = Seconds{20e-6};
    network.collective.barrier = Seconds{4e-6};
    network.collective.two_step_launch = two_step_launch;
    return network;
}

/// As an engine's own kernels do: each member reads the vectors of all others at once, or parts of them in
/// two steps, or the library reduces.
TEST(LatencyBandwidth, members_reduce_directly) {
    hardware::NetworkSpec network = with_own_reduction(Seconds{3e-6});
    const auto reduce = [&](Bytes size, std::int64_t inside, std::int64_t domains) {
        return LatencyBandwidth{network}.collective(CollectiveKind::all_reduce, size, {inside, domains});
    };
    // 7 · 10 kB at 100 GB/s.
    EXPECT_SOFT_EQ(Seconds{(0.5 + 4 + 0.7) * 1e-6}, reduce(Bytes{1e4}, 8, 1));
    // Two steps with 2 · 7/8 · 1 MB, against 70 us in one.
    EXPECT_SOFT_EQ(Seconds{(0.5 + 3 + 8 + 17.5) * 1e-6}, reduce(megabyte, 8, 1));
    // The library needs 20 us and six latencies.
    network.collective.two_step_launch = Seconds{30e-6};
    EXPECT_SOFT_EQ(Seconds{(20 + 6 + 17.5) * 1e-6}, reduce(megabyte, 8, 1));
    // Without a barrier of its own: two latencies of a link.
    network.collective.barrier = Seconds{};
    EXPECT_SOFT_EQ(Seconds{(0.5 + 2 + 0.7) * 1e-6}, reduce(Bytes{1e4}, 8, 1));
    // Between domains only the library's, whose other collectives take the engine's launch.
    network.collective.library_launch = Seconds{};
    const Seconds library = reduce(megabyte, 8, 2);
    network.collective.library_launch = Seconds{20e-6};
    EXPECT_SOFT_EQ(library + Seconds{19.5e-6}, reduce(megabyte, 8, 2));
    EXPECT_SOFT_EQ(Seconds{(0.5 + 8.75 + 3) * 1e-6},
                   LatencyBandwidth{network}.collective(CollectiveKind::all_gather, megabyte, {8, 1}));
}

/// Engines whose heuristic looks at the number of tokens alone.
TEST(LatencyBandwidth, one_step_may_be_prescribed_up_to_a_size) {
    hardware::NetworkSpec network = with_own_reduction(Seconds{3e-6});
    network.collective.one_step_limit = megabyte;
    const auto reduce = [&](Bytes size, std::int64_t inside) {
        return LatencyBandwidth{network}.collective(CollectiveKind::all_reduce, size, {inside, 1});
    };
    // 7 · 1 MB at 100 GB/s, although two steps take 29 us.
    EXPECT_SOFT_EQ(Seconds{(0.5 + 4 + 70) * 1e-6}, reduce(megabyte, 8));
    // Beyond the limit, the library: 2 · 7/8 · 2 MB, 20 us and six latencies, although two steps take 46.5
    // us.
    EXPECT_SOFT_EQ(Seconds{(20 + 6 + 35) * 1e-6}, reduce(megabyte * 2.0, 8));
    // Two devices have no such limit: one step, 20 us at 100 GB/s.
    EXPECT_SOFT_EQ(Seconds{(0.5 + 4 + 20) * 1e-6}, reduce(megabyte * 2.0, 2));
}

/// All others send to each member at once, which takes longer among many.
TEST(LatencyBandwidth, one_step_among_many_has_an_efficiency_of_its_own) {
    hardware::NetworkSpec network = with_own_reduction(Seconds{100e-6});
    network.collective.one_step_efficiency = 0.5;
    network.collective.one_step_members = 5;
    const auto reduce = [&](std::int64_t inside) {
        return LatencyBandwidth{network}.collective(CollectiveKind::all_reduce, Bytes{1e5}, {inside, 1});
    };
    // 7 · 100 kB at half of 100 GB/s, 3 · 100 kB at all of it.
    EXPECT_SOFT_EQ(Seconds{(0.5 + 4 + 14) * 1e-6}, reduce(8));
    EXPECT_SOFT_EQ(Seconds{(0.5 + 4 + 3) * 1e-6}, reduce(4));
}

TEST(LatencyBandwidth, exchanges_have_a_launch_of_their_own) {
    hardware::NetworkSpec network = plain_network();
    network.collective.launch = Seconds{10e-6};
    network.collective.exchange_launch = Seconds{30e-6};
    const LatencyBandwidth model{network};
    EXPECT_SOFT_EQ(Seconds{(30.0 + 8.75 + 1) * 1e-6},
                   model.collective(CollectiveKind::all_to_all, megabyte, {8, 1}));
    EXPECT_SOFT_EQ(Seconds{(10.0 + 8.75 + 3) * 1e-6},
                   model.collective(CollectiveKind::all_gather, megabyte, {8, 1}));
}

TEST(LatencyBandwidth, launch_and_middle_sizes_cost_extra) {
    hardware::NetworkSpec network = plain_network();
    network.collective.launch = Seconds{10e-6};
    const LatencyBandwidth sum{network};
    EXPECT_SOFT_EQ(Seconds{33.5e-6}, sum.collective(CollectiveKind::all_reduce, megabyte, {8, 1}));
    network.collective.sharpness = 0.5;
    const LatencyBandwidth soft{network};
    // (√16 + √17.5)² = 33.5 + 2·√(16·17.5)
    EXPECT_SOFT_EQ(Seconds{(33.5 + 2.0 * std::sqrt(16.0 * 17.5)) * 1e-6},
                   soft.collective(CollectiveKind::all_reduce, megabyte, {8, 1}));
}

TEST(LatencyBandwidth, nothing_to_do_costs_nothing) {
    hardware::NetworkSpec network = plain_network();
    network.collective.launch = Seconds{10e-6};
    const LatencyBandwidth model{network};
    EXPECT_EQ(model.collective(CollectiveKind::all_reduce, megabyte, {1, 1}), Seconds{});
    EXPECT_EQ(model.collective(CollectiveKind::all_gather, Bytes{}, {8, 4}), Seconds{});
}

TEST(LatencyBandwidth, finds_the_placement_of_its_groups) {
    const LatencyBandwidth model{plain_network()};
    Mesh mesh;
    mesh = graph::Mesh::dense(4, 1, 8, 1);
    const Collective tensor{CollectiveKind::all_reduce, MeshAxis::tensor, megabyte, 1.0};
    const Collective data{CollectiveKind::all_reduce, MeshAxis::data, megabyte, 1.0};
    EXPECT_EQ(model.collective(tensor, mesh), model.collective(tensor.kind, megabyte, {4, 1}));
    EXPECT_EQ(model.collective(data, mesh), model.collective(data.kind, megabyte, {2, 4}));
    mesh = graph::Mesh::dense(3, 1, 8, 1);
    EXPECT_THROW(static_cast<void>(model.collective(tensor, mesh)), ModelError);
}

TEST(LatencyBandwidth, a_larger_domain_takes_groups_in) {
    hardware::NetworkSpec network = plain_network();
    network.scale_up.domain = 72;
    const LatencyBandwidth model{network};
    Mesh mesh;
    mesh = graph::Mesh::dense(4, 1, 32, 1);
    const Collective data{CollectiveKind::all_gather, MeshAxis::data, megabyte, 1.0};
    // 128 ranks on two segments of 64: 16 neighbours of the data axis in each.
    EXPECT_EQ(model.collective(data, mesh), model.collective(data.kind, megabyte, {16, 2}));
}

TEST(LatencyBandwidth, stages_exchange_over_the_link_between_them) {
    const LatencyBandwidth model{plain_network()};
    Mesh mesh;
    mesh = graph::Mesh::dense(4, 1, 1, 4);
    // Stages of 4 ranks: 0 and 1 share a domain of 8, 1 and 2 do not.
    EXPECT_SOFT_EQ(Seconds{(10 + 1) * 1e-6}, model.transfer(megabyte, mesh, 0, 1));
    EXPECT_SOFT_EQ(Seconds{(100 + 5) * 1e-6}, model.transfer(megabyte, mesh, 1, 2));
    EXPECT_SOFT_EQ(Seconds{(100 + 5) * 1e-6}, model.transfer(megabyte, mesh, 3, 0));
    EXPECT_EQ(model.transfer(megabyte, mesh, 2, 2), Seconds{});
    hardware::NetworkSpec network = plain_network();
    network.collective.message_launch = Seconds{6e-6};
    EXPECT_SOFT_EQ(Seconds{(10 + 1 + 6) * 1e-6}, LatencyBandwidth{network}.transfer(megabyte, mesh, 0, 1));
}

TEST(LatencyBandwidth, oversubscription_slows_the_fabric_only) {
    hardware::NetworkSpec network = plain_network();
    network.scale_out.oversubscription = 2.0;
    const LatencyBandwidth model{network};
    EXPECT_SOFT_EQ(Seconds{(300.0 + 20) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte, {1, 4}));
    EXPECT_SOFT_EQ(Seconds{(17.5 + 6) * 1e-6},
                   model.collective(CollectiveKind::all_reduce, megabyte, {8, 1}));
}

/// Faster networks are never slower, larger vectors never faster.
TEST(LatencyBandwidth, is_monotonic) {
    std::mt19937_64 random{17};
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>{low, high}(random);
    };
    for (int i = 0; i < 3000; ++i) {
        hardware::NetworkSpec network = plain_network();
        network.scale_up.reduction.efficiency = i % 2 == 0 ? 0.0 : uniform(0.3, 0.9);
        network.collective = {};
        network.collective.launch = Seconds{uniform(0.0, 2e-5)};
        network.collective.sharpness = uniform(0.5, 2.0);
        network.collective.phase_overlap = uniform(0.0, 1.0);
        const auto kind = static_cast<CollectiveKind>(random() % 5);
        const Placement group{std::int64_t{1} << (random() % 4), std::int64_t{1} << (random() % 6)};
        const Bytes size{std::exp2(uniform(10.0, 33.0))};
        const Seconds base = LatencyBandwidth{network}.collective(kind, size, group);
        ASSERT_LE(base, LatencyBandwidth{network}.collective(kind, size * 1.1, group) * (1.0 + 1e-15));
        hardware::NetworkSpec faster = network;
        faster.scale_up.link.bandwidth *= 1.5;
        ASSERT_LE(LatencyBandwidth{faster}.collective(kind, size, group), base * (1.0 + 1e-15));
        faster = network;
        faster.scale_out.link.bandwidth *= 1.5;
        ASSERT_LE(LatencyBandwidth{faster}.collective(kind, size, group), base * (1.0 + 1e-15));
        faster.scale_out.link.latency /= 2.0;
        ASSERT_LE(LatencyBandwidth{faster}.collective(kind, size, group), base * (1.0 + 1e-15));
    }
}

/// Bus bandwidths that stas00/ml-engineering 744d01e measured with nccl-tests: all-reduce over 8 devices of
/// an H200 node (NVLS), and over 4 nodes of 8 B200. Two of a board of four A100 (Leonardo):
/// NVIDIA/nccl-tests, issue 331. Four of eight MI300X: what RCCL counts for their three links each,
/// ROCm/rccl, issue 1210.
struct Anchor {
    const char* cluster;
    Placement group;
    double bytes;
    double bus_bandwidth;
    double tolerance;
};

TEST(LatencyBandwidth, meets_measured_anchors) {
    constexpr double MiB = 1048576.0;
    const std::vector<Anchor> anchors{
        {"dgx_h200_ndr400", {8, 1}, 64 * MiB, 347e9, 0.15},
        {"dgx_h200_ndr400", {8, 1}, 512 * MiB, 450e9, 0.10},
        {"dgx_h200_ndr400", {8, 1}, 16384 * MiB, 482e9, 0.05},
        {"dgx_b200", {8, 1}, 1024 * MiB, 723e9, 0.10},
        {"dgx_b200", {8, 1}, 16384 * MiB, 846e9, 0.05},
        {"dgx_b200", {8, 4}, 1024 * MiB, 362e9, 0.15},
        {"dgx_b200", {8, 4}, 16384 * MiB, 382e9, 0.10},
        {"dgx_a100_hdr200", {8, 1}, 8192 * MiB, 234.9e9, 0.05},
        {"hgx_a100_4_hdr200", {2, 1}, 1024 * MiB, 72e9, 0.10},
        {"mi300x_roce400", {4, 1}, 16384 * MiB, 144e9, 0.01},
    };
    for (const Anchor& anchor : anchors) {
        const LatencyBandwidth model{catalogue_cluster(anchor.cluster).network};
        const double seconds =
            model.collective(CollectiveKind::all_reduce, Bytes{anchor.bytes}, anchor.group).value();
        const auto members = static_cast<double>(anchor.group.members());
        const double bus = anchor.bytes / seconds * 2.0 * (members - 1.0) / members;
        EXPECT_NEAR(bus / anchor.bus_bandwidth, 1.0, anchor.tolerance)
            << anchor.cluster << ", " << anchor.bytes / MiB << " MiB over " << members;
    }
}

/// vLLM's own all-reduce on eight MI355X: vllm-project/vllm, pull request 39080 (before its change). Launches
/// are those of stack vllm_2026, links those of the cluster: nothing was fitted to these times.
TEST(LatencyBandwidth, an_engines_own_all_reduce_meets_measured_times) {
    hardware::NetworkSpec network = catalogue_cluster("mi355x").network;
    network.collective.library_launch = network.collective.launch;
    network.collective.launch = Seconds{1.9e-6};
    network.collective.two_step_launch = Seconds{1.5e-6};
    const LatencyBandwidth model{network};
    constexpr std::pair<double, double> measured[]{{24, 6.3},   {48, 6.7},   {96, 7.6},   {192, 10.0},
                                                   {384, 13.1}, {768, 16.0}, {1536, 24.2}};
    for (const auto& [kibibytes, microseconds] : measured) {
        const Seconds time = model.collective(CollectiveKind::all_reduce, Bytes{kibibytes * 1024}, {8, 1});
        EXPECT_NEAR(time.value() * 1e6 / microseconds, 1.0, 0.17) << kibibytes << " KiB";
    }
}

}  // namespace
}  // namespace dse::model
