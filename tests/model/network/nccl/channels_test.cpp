#include "dse/model/network/nccl/channels.hpp"

#include <random>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using hardware::GpuGeneration;

// NVLink as NCCL counts it: 12 links of 20 GB/s, 18 of 20.6, 18 of 40.1.
constexpr double ampere_links = 240.0;
constexpr double hopper_links = 370.8;
constexpr double blackwell_links = 721.8;

// NCCL prints what its search finds. Of eight H100 (NVIDIA/nccl issue 1197): ring and tree 12 channels,
// 30/30; NVLS 8 channels, 40/60. Of eight A100: ring 12 channels, 20/20. Of two nodes of eight H100: ring 8
// channels, 48/48. Of one device with a NIC of 25 GB/s: ring 1 channel, 24/24; tree 1 channel, 48/24.

NcclNode alone(GpuGeneration generation, double links, std::int64_t devices) {
    return {.generation = generation, .devices = devices, .nvlink = links};
}

NcclNode part(GpuGeneration generation, double links, std::int64_t devices, std::int64_t nics, double nic) {
    return {.generation = generation,
            .devices = devices,
            .nvlink = links,
            .alone = false,
            .nics = nics,
            .nic = nic};
}

TEST(NcclChannels, a_ring_inside_a_domain_takes_what_links_carry) {
    // 6 × 40 = 240 fills the links, and is split.
    EXPECT_EQ(ring_channels(alone(GpuGeneration::ampere, ampere_links, 8)), (NcclChannels{12, 20.0, 20.0}));
    // 6 × 60 = 360; 7 × 50, 9 × 40 and 12 × 30 have no more. Split.
    EXPECT_EQ(ring_channels(alone(GpuGeneration::hopper, hopper_links, 8)), (NcclChannels{12, 30.0, 30.0}));
    EXPECT_EQ(ring_channels(alone(GpuGeneration::hopper, hopper_links, 2)), (NcclChannels{12, 30.0, 30.0}));
    // 8 × 90 = 720. Split.
    EXPECT_EQ(ring_channels(alone(GpuGeneration::blackwell, blackwell_links, 8)),
              (NcclChannels{16, 45.0, 45.0}));
}

TEST(NcclChannels, a_tree_has_as_many_and_faster_ones_where_chains_are_short) {
    const auto tree = [](GpuGeneration generation, double links, std::int64_t devices) {
        const NcclNode node = alone(generation, links, devices);
        return tree_channels(node, ring_channels(node));
    };
    // 12 chains of 7 links load 8 devices: 12 · 7/8 · 30 = 315 of 370.8; 40 would take 420.
    EXPECT_EQ(tree(GpuGeneration::hopper, hopper_links, 8), (NcclChannels{12, 30.0, 30.0}));
    // 12 · 3/4 · 40 = 360.
    EXPECT_EQ(tree(GpuGeneration::hopper, hopper_links, 4).intra, 40.0);
    // 12 · 1/2 · 60 = 360.
    EXPECT_EQ(tree(GpuGeneration::hopper, hopper_links, 2).intra, 60.0);
    // 16 · 7/8 · 50 = 700 of 721.8.
    EXPECT_EQ(tree(GpuGeneration::blackwell, blackwell_links, 8), (NcclChannels{16, 50.0, 50.0}));
}

TEST(NcclChannels, switches_take_a_channel_a_device_and_load_its_link_twice) {
    // 9 · 40 = 360 of 370.8. Inward NCCL then counts up to the fastest speed it knows.
    EXPECT_EQ(switch_channels(alone(GpuGeneration::hopper, hopper_links, 8)), (NcclChannels{8, 40.0, 60.0}));
    // 6 · 60 = 360.
    EXPECT_EQ(switch_channels(alone(GpuGeneration::hopper, hopper_links, 5)), (NcclChannels{5, 60.0, 60.0}));
    // 9 · 80 = 720 of 721.8.
    EXPECT_EQ(switch_channels(alone(GpuGeneration::blackwell, blackwell_links, 8)),
              (NcclChannels{8, 80.0, 90.0}));
    // 32 heads at most: 33 · 20 = 660, and 24 would take 792.
    const NcclChannels rack = switch_channels(alone(GpuGeneration::blackwell, blackwell_links, 72));
    EXPECT_EQ(rack.count, 32);
    EXPECT_EQ(rack.intra, 20.0);
}

TEST(NcclChannels, between_domains_nics_decide) {
    // A channel a NIC of 50 GB/s, at 48.
    const NcclNode hopper = part(GpuGeneration::hopper, hopper_links, 8, 8, 50.0);
    EXPECT_EQ(ring_channels(hopper), (NcclChannels{8, 48.0, 48.0}));
    EXPECT_EQ(tree_channels(hopper, ring_channels(hopper)), (NcclChannels{8, 48.0, 48.0}));
    EXPECT_EQ(switch_channels(hopper), (NcclChannels{8, 40.0, 48.0}));
    // Four NICs of 12.5 for eight devices; inside, trees go twice as fast as the NICs at most.
    const NcclNode four_nics = part(GpuGeneration::ampere, ampere_links, 8, 4, 12.5);
    EXPECT_EQ(ring_channels(four_nics), (NcclChannels{4, 12.0, 12.0}));
    EXPECT_EQ(tree_channels(four_nics, ring_channels(four_nics)), (NcclChannels{4, 24.0, 12.0}));
    // One device and its NIC: few channels are split.
    const NcclNode one = part(GpuGeneration::hopper, hopper_links, 1, 1, 50.0);
    EXPECT_EQ(ring_channels(one), (NcclChannels{2, 24.0, 24.0}));
    // Slow ones are not; inside, a tree goes twice as fast.
    const NcclNode slower = part(GpuGeneration::ampere, ampere_links, 1, 1, 25.0);
    EXPECT_EQ(ring_channels(slower), (NcclChannels{1, 24.0, 24.0}));
    EXPECT_EQ(tree_channels(slower, ring_channels(slower)), (NcclChannels{1, 48.0, 24.0}));
}

TEST(NcclChannels, slow_links_decide_of_a_ring_that_leaves_its_domain) {
    // It passes three links of four devices: each carries 4/3 of 72, two channels of 48. Split.
    EXPECT_EQ(ring_channels(part(GpuGeneration::hopper, 72.0, 4, 8, 50.0)), (NcclChannels{4, 24.0, 24.0}));
}

TEST(NcclChannels, collnet_has_a_head_a_nic) {
    // A link carries a head's 48 and 7/7 of the others': 96 of 370.8.
    EXPECT_EQ(collnet_direct_channels(part(GpuGeneration::hopper, hopper_links, 8, 8, 50.0)),
              (NcclChannels{8, 48.0, 48.0}));
}

TEST(NcclChannels, none_fits_a_nic_below_the_slowest_speed) {
    const NcclNode slow = part(GpuGeneration::hopper, hopper_links, 8, 8, 0.1);
    EXPECT_EQ(ring_channels(slow).count, 0);
    EXPECT_EQ(tree_channels(slow, ring_channels(slow)).count, 0);
}

// Whatever the machine, the channels fit its links and NICs.
TEST(NcclChannels, never_take_more_than_there_is) {
    std::mt19937_64 random{7};
    std::uniform_real_distribution<double> links{20.0, 2000.0};
    std::uniform_real_distribution<double> nic{0.2, 120.0};
    std::uniform_int_distribution<std::int64_t> devices{2, 72};
    std::uniform_int_distribution<int> generation{1, 4};
    for (int i = 0; i < 2000; ++i) {
        NcclNode node = alone(static_cast<GpuGeneration>(generation(random)), links(random), devices(random));
        const NcclChannels inside = ring_channels(node);
        EXPECT_LE(static_cast<double>(inside.count) * inside.intra, node.nvlink * (1.0 + 1e-9));
        node.alone = false;
        node.nics = node.devices;
        node.nic = nic(random);
        for (const NcclChannels& ring : {ring_channels(node), tree_channels(node, ring_channels(node))}) {
            EXPECT_LE(static_cast<double>(ring.count) * ring.inter,
                      static_cast<double>(node.nics) * node.nic * (1.0 + 1e-9));
        }
        EXPECT_LE(switch_channels(node).inter, node.nic);
    }
}

}  // namespace
}  // namespace dse::model
