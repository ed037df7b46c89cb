#include "dse/model/network/nccl.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::Collective;
using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;
using hardware::LibraryFeature;

/// Domains of eight H100, a NIC of 50 GB/s each; times are NCCL's own estimates. NVLink counts 370.8 GB/s.
hardware::NetworkSpec hopper() {
    hardware::NetworkSpec network;
    network.scale_up.link.bandwidth = BytesPerSecond{450e9};
    network.scale_up.domain = 8;
    network.scale_up.reduction.efficiency = 0.6;
    network.scale_out.link.bandwidth = BytesPerSecond{50e9};
    network.collective.message_launch = Seconds{6e-6};
    return network;
}

Seconds us(double value) {
    return Seconds{value * 1e-6};
}

TEST(Nccl, takes_what_it_expects_to_be_soonest) {
    const Nccl model{hopper()};
    // 1 KiB: ring LL, 6.6 + 14 · 0.6 us and 1,024 bytes at 141 · 8/14 GB/s.
    EXPECT_SOFT_EQ(us(15.0 + 1.024 / (141.0 * 8 / 14)),
                   model.collective(CollectiveKind::all_reduce, Bytes{1024}, {8, 1}));
    // 16 MB: switches, 25 us at 8 · 59.5 · 8/14 GB/s.
    EXPECT_SOFT_EQ(us(25.0 + 16e3 / (476.0 * 8 / 14)),
                   model.collective(CollectiveKind::all_reduce, Bytes{16e6}, {8, 1}));
    // All-gather of 1 GB: ring Simple, 8.4 + 7 · 3.4 us at 360 · 8/7 GB/s.
    EXPECT_SOFT_EQ(us(32.2 + 1e6 / (360.0 * 8 / 7)),
                   model.collective(CollectiveKind::all_gather, Bytes{1e9}, {8, 1}));
}

TEST(Nccl, one_member_or_no_bytes_cost_nothing) {
    const Nccl model{hopper()};
    EXPECT_EQ(Seconds{}, model.collective(CollectiveKind::all_reduce, Bytes{1e6}, {1, 1}));
    EXPECT_EQ(Seconds{}, model.collective(CollectiveKind::all_to_all, Bytes{}, {8, 1}));
    EXPECT_TRUE(model
                    .alternatives(
                        communication({.axes = MeshAxis::data, .size = Bytes{1e6}}, Mesh::dense(1, 1, 1, 1)))
                    .empty());
}

TEST(Nccl, places_groups_on_domains) {
    const Nccl model{hopper()};
    const Mesh mesh = Mesh::dense(8, 1, 4, 1);
    const Collective across{.axes = MeshAxis::data, .size = Bytes{1e8}};
    EXPECT_EQ(model.collective(CollectiveKind::all_reduce, Bytes{1e8}, {1, 4}),
              model.collective(across, mesh));
    const Collective inside{.axes = MeshAxis::tensor, .size = Bytes{1e8}};
    EXPECT_EQ(model.collective(CollectiveKind::all_reduce, Bytes{1e8}, {8, 1}),
              model.collective(inside, mesh));
    EXPECT_THROW(static_cast<void>(model.collective(inside, Mesh::dense(12, 1, 4, 1))), ModelError);
}

TEST(Nccl, adds_what_its_estimates_leave_out) {
    hardware::NetworkSpec network = hopper();
    network.nccl.overhead = us(10);
    network.nccl.own_copy = 0.7;
    network.nccl.switch_sharpness = 0.5;
    const Nccl model{network};
    // A ring's copy is one of 7 steps, by 0.7: a tenth more transfer.
    EXPECT_SOFT_EQ(us(42.2 + 1.1 * 1e6 / (360.0 * 8 / 7)),
                   model.collective(CollectiveKind::all_gather, Bytes{1e9}, {8, 1}));
    // Switches: (√35 + √58.8…)².
    const double transfer = 16e3 / (476.0 * 8 / 14);
    EXPECT_SOFT_EQ(us(std::pow(std::sqrt(35.0) + std::sqrt(transfer), 2.0)),
                   model.collective(CollectiveKind::all_reduce, Bytes{16e6}, {8, 1}));
}

TEST(Nccl, groups_that_share_nics_share_their_rate) {
    hardware::NetworkSpec network = hopper();
    const Seconds own = Nccl{network}.collective(CollectiveKind::all_gather, Bytes{1e9}, {1, 16});
    // Four NICs of 100 GB/s for eight devices that all gather at once, in groups of one a domain: NCCL finds
    // the channels of 100 GB/s, which carry those of two groups.
    network.nccl.nics = 4;
    const Seconds shared = Nccl{network}.collective(CollectiveKind::all_gather, Bytes{1e9}, {1, 16});
    EXPECT_NEAR(shared.value() / own.value(), 1.0, 0.05);
    // A fabric of a third of its ports' bandwidth.
    network.nccl.nics = 0;
    network.scale_out.oversubscription = 3.0;
    const Seconds thirds = Nccl{network}.collective(CollectiveKind::all_gather, Bytes{1e9}, {1, 16});
    EXPECT_NEAR(thirds.value() / own.value(), 3.0, 0.05);
    // On rails a collective crosses no spine.
    network.nccl.fabric = hardware::FabricKind::rail_optimized;
    EXPECT_EQ(own, Nccl{network}.collective(CollectiveKind::all_gather, Bytes{1e9}, {1, 16}));
}

// NCCL counts line rates, also where a fabric carries half of them: its choice is the same, a channel of 48
// GB/s, of which 25 are sustained; 48 / 25 = 1.92, less the latency.
TEST(Nccl, a_fabric_carries_what_it_sustains) {
    hardware::NetworkSpec network = hopper();
    const auto time = [&] {
        return Nccl{network}.collective(CollectiveKind::all_gather, Bytes{1e9}, {1, 16});
    };
    const Seconds line = time();
    network.scale_out.link.efficiency = 0.5;
    EXPECT_NEAR(time().value() / line.value(), 1.92, 0.02);
}

TEST(Nccl, all_to_all_sends_everything_at_once) {
    hardware::NetworkSpec network = hopper();
    // Inside: 7/8 of 1 GB over NVLink, 6 + 3.4 us.
    EXPECT_SOFT_EQ(us(9.4 + 875e3 / 370.8),
                   Nccl{network}.collective(CollectiveKind::all_to_all, Bytes{1e9}, {8, 1}));
    // Small parts go by LL: 16 KiB each.
    EXPECT_SOFT_EQ(us(6.6 + 7 * 16.384 / 370.8),
                   Nccl{network}.collective(CollectiveKind::all_to_all, Bytes{8 * 16384.0}, {8, 1}));
    // 4 domains: of 32 parts 24 leave; 750 MB at 50 GB/s, more than NVLink's share.
    const auto across = [&] {
        return Nccl{network}.collective(CollectiveKind::all_to_all, Bytes{1e9}, {8, 4});
    };
    EXPECT_SOFT_EQ(us(20.0 + 750e3 / 50.0), across());
    // With slow NVLink PXN decides: 7/32 stay, and 7/8 of the 24/32 that leave pass another device first.
    network.nccl.generation = hardware::GpuGeneration::hopper;
    network.scale_up.link.bandwidth = BytesPerSecond{25e9};
    EXPECT_SOFT_EQ(us(20.0 + (1e6 * 7 / 32 + 750e3 * 7 / 8) / 20.6), across());
    network.nccl.pxn = LibraryFeature::off;
    EXPECT_SOFT_EQ(us(20.0 + 750e3 / 50.0), across());
    // Off the rails 7/8 of it cross a spine of half the bandwidth.
    network.scale_out.oversubscription = 2.0;
    network.nccl.fabric = hardware::FabricKind::rail_optimized;
    EXPECT_SOFT_EQ(us(20.0 + 750e3 / 50.0 * (1.0 + 7.0 / 8)), across());
    network.nccl.fabric = hardware::FabricKind::uniform;
    EXPECT_SOFT_EQ(us(20.0 + 750e3 / 25.0), across());
}

TEST(Nccl, messages_take_a_launch_and_a_step) {
    hardware::NetworkSpec network = hopper();
    network.nccl.net_latency = us(5);
    const Nccl model{network};
    EXPECT_SOFT_EQ(us(6.6 + 8.0 / 370.8), model.transfer(Bytes{8e3}, Mesh::dense(1, 1, 1, 2), 0, 1));
    EXPECT_SOFT_EQ(us(9.4 + 1e3 / 370.8), model.transfer(Bytes{1e6}, Mesh::dense(1, 1, 1, 2), 0, 1));
    // Between domains: 14 us and twice what the plugin reports.
    EXPECT_SOFT_EQ(us(6.0 + 24.0 + 1e3 / 50), model.transfer(Bytes{1e6}, Mesh::dense(8, 1, 1, 2), 0, 1));
    EXPECT_EQ(Seconds{}, model.transfer(Bytes{1e6}, Mesh::dense(8, 1, 1, 2), 1, 1));
    EXPECT_SOFT_EQ(us(6.0 + 24.0 + 1e3 / 50),
                   model.collective(CollectiveKind::ring_shift, Bytes{1e6}, {8, 2}));
}

TEST(Nccl, lists_what_it_chose_from) {
    const Nccl model{hopper()};
    const Mesh mesh = Mesh::dense(1, 1, 8, 1);
    const Collective work{.axes = MeshAxis::data, .size = Bytes{16e6}};
    const std::vector<Alternative> all = model.alternatives(communication(work, mesh));
    // Ring and tree with three protocols each, and the switches.
    ASSERT_EQ(all.size(), 7U);
    EXPECT_EQ(all.front().name, "NVLS Simple");
    EXPECT_EQ(all.front().time, model.collective(work, mesh));
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1].expected, all[i].expected);
    Collective messages = work;
    messages.kind = CollectiveKind::all_to_all;
    EXPECT_TRUE(model.alternatives(communication(messages, mesh)).empty());
}

TEST(Nccl, knows_a_generation_by_its_links) {
    hardware::NetworkSpec network = hopper();
    const Seconds hopper_time = Nccl{network}.collective(CollectiveKind::all_gather, Bytes{1e9}, {8, 1});
    network.nccl.generation = hardware::GpuGeneration::hopper;
    EXPECT_EQ(hopper_time, Nccl{network}.collective(CollectiveKind::all_gather, Bytes{1e9}, {8, 1}));
    network.nccl.generation = hardware::GpuGeneration::automatic;
    network.scale_up.link.bandwidth = BytesPerSecond{300e9};
    // Ampere: 12 × 20 GB/s.
    EXPECT_SOFT_EQ(us(32.2 + 1e6 / (240.0 * 8 / 7)),
                   Nccl{network}.collective(CollectiveKind::all_gather, Bytes{1e9}, {8, 1}));
}

TEST(Nccl, refuses_nics_too_slow_for_a_channel) {
    hardware::NetworkSpec network = hopper();
    network.scale_out.link.bandwidth = BytesPerSecond{0.1e9};
    EXPECT_THROW(static_cast<void>(Nccl{network}.collective(CollectiveKind::all_reduce, Bytes{1e6}, {8, 2})),
                 ModelError);
}

// Large vectors: more bytes take longer, and more overhead or a slower plugin is never sooner than none.
TEST(Nccl, times_are_sane_on_any_machine) {
    std::mt19937_64 random{11};
    std::uniform_real_distribution<double> rate{20e9, 1200e9};
    std::uniform_int_distribution<std::int64_t> inside{1, 16};
    std::uniform_int_distribution<std::int64_t> domains{1, 64};
    std::uniform_real_distribution<double> magnitude{3.0, 9.5};
    for (int i = 0; i < 3000; ++i) {
        hardware::NetworkSpec network = hopper();
        network.scale_up.domain = 16;
        network.scale_up.link.bandwidth = BytesPerSecond{rate(random)};
        network.scale_out.link.bandwidth = BytesPerSecond{rate(random) / 10};
        const Placement group{inside(random), domains(random)};
        const Bytes size{std::pow(10.0, magnitude(random))};
        const auto kind = static_cast<CollectiveKind>(i % 6);
        const Nccl model{network};
        const Seconds time = model.collective(kind, size, group);
        ASSERT_TRUE(std::isfinite(time.value()));
        ASSERT_GE(time, Seconds{});
        if (group.members() == 1) continue;
        // No faster than the vector's last byte leaves the fastest links there are.
        const double links =
            static_cast<double>(group.members()) * (network.scale_up.link.bandwidth.value() * 2 + 120e9);
        EXPECT_GT(time.value(), size.value() / links);
        if (size > Bytes{64e6}) {
            EXPECT_GT(model.collective(kind, size * 1.5, group), time);
        }
        network.nccl.overhead = us(7);
        EXPECT_GE(Nccl{network}.collective(kind, size, group), time);
    }
}

}  // namespace
}  // namespace dse::model
