#include "dse/model/network/nccl/tuner.hpp"

#include <optional>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::GpuGeneration;

/// Eight H100 a domain, an NDR400 NIC each, Intel hosts.
NcclGroup hopper(std::int64_t devices, std::int64_t domains) {
    NcclGroup group;
    group.node = {.generation = GpuGeneration::hopper,
                  .devices = devices,
                  .nvlink = 370.8,
                  .alone = domains == 1,
                  .nics = devices,
                  .nic = 50.0};
    group.domains = domains;
    group.switches_reduce = true;
    return group;
}

std::optional<NcclCandidate> find(const NcclGroup& group, CollectiveKind kind, NcclAlgorithm algorithm,
                                  NcclProtocol protocol = NcclProtocol::simple) {
    const NcclCandidates candidates = NcclTuner{group}.candidates(kind);
    for (const NcclCandidate& candidate : candidates.get()) {
        if (candidate.algorithm == algorithm && candidate.protocol == protocol) return candidate;
    }
    return std::nullopt;
}

double latency(const NcclGroup& group, NcclAlgorithm algorithm, NcclProtocol protocol) {
    return find(group, CollectiveKind::all_reduce, algorithm, protocol).value().latency;
}

TEST(NcclTuner, latencies_of_an_all_reduce_grow_with_rings_and_the_logarithm_of_trees) {
    using enum NcclAlgorithm;
    using enum NcclProtocol;
    // 8 devices: 6.6 + 14 · 0.6; 14 + 2 · 7 · 1.25; 8.4 + 14 · 3.4.
    EXPECT_SOFT_EQ(15.0, latency(hopper(8, 1), ring, ll));
    EXPECT_SOFT_EQ(31.5, latency(hopper(8, 1), tree, ll128));
    EXPECT_SOFT_EQ(56.0, latency(hopper(8, 1), ring, simple));
    // 4 × 8: 6.8 + 2 · (7 · 0.6 + 2 · 5); 62 steps, 6 of them between domains: 8.4 + 56 · 3.4 + 6 · 14.
    EXPECT_SOFT_EQ(35.2, latency(hopper(8, 4), tree, ll));
    EXPECT_SOFT_EQ(282.8, latency(hopper(8, 4), ring, simple));
    // 16 × 8 and 128 × 8: 4 and 7 levels; 2,046 steps, 254 between domains: 8.4 + 1,792 · 3.4 + 254 · 14.
    EXPECT_SOFT_EQ(55.2, latency(hopper(8, 16), tree, ll));
    EXPECT_SOFT_EQ(85.2, latency(hopper(8, 128), tree, ll));
    EXPECT_SOFT_EQ(9657.2, latency(hopper(8, 128), ring, simple));
    // Switches: 25; 25 + 2 · 2 · 20.9 over four domains.
    EXPECT_SOFT_EQ(25.0, latency(hopper(8, 1), nvls, simple));
    EXPECT_SOFT_EQ(108.6, latency(hopper(8, 4), nvls_tree, simple));
}

TEST(NcclTuner, hosts_and_plugins_add_to_steps_between_domains) {
    NcclGroup group = hopper(8, 2);
    // 30 steps, 2 between domains. An AMD host posts in 2 us, three times as long for Simple: more than 3.4.
    group.processor = hardware::HostProcessor::amd;
    EXPECT_SOFT_EQ(8.4 + 28 * 6.0 + 2 * 14.0, latency(group, NcclAlgorithm::ring, NcclProtocol::simple));
    // What a plugin reports counts twice for Simple, which flushes.
    group.net_latency = 75.0;
    EXPECT_SOFT_EQ(8.4 + 2 * (7 * 4.0 + 14.0 + 150.0),
                   latency(group, NcclAlgorithm::tree, NcclProtocol::simple));
    EXPECT_SOFT_EQ(6.8 + 2 * (7 * 0.6 + 5.0 + 75.0), latency(group, NcclAlgorithm::tree, NcclProtocol::ll));
}

TEST(NcclTuner, rings_attain_their_channels) {
    const auto ring = [](NcclProtocol protocol) {
        return find(hopper(8, 1), CollectiveKind::all_reduce, NcclAlgorithm::ring, protocol).value();
    };
    // 12 × 30 GB/s on the links; a vector passes 14/8 times.
    EXPECT_SOFT_EQ(360.0 * 8 / 14, ring(NcclProtocol::simple).bandwidth);
    EXPECT_SOFT_EQ(0.92 * 360.0 * 8 / 14, ring(NcclProtocol::ll128).bandwidth);
    EXPECT_SOFT_EQ(141.0 * 8 / 14, ring(NcclProtocol::ll).bandwidth);
    // 16 GiB on 8 H200 without switches: 83.5 ms; measured 81.8 (stas00/ml-engineering, network).
    const NcclTuner tuner{hopper(8, 1)};
    const double estimate =
        tuner.estimate(ring(NcclProtocol::simple), CollectiveKind::all_reduce, 17179869184.0);
    EXPECT_NEAR(83.5e3, estimate, 0.1e3);
    EXPECT_EQ(ring(NcclProtocol::simple).fabric, 0.0);
}

TEST(NcclTuner, switches_attain_their_share) {
    const NcclCandidate switches =
        find(hopper(8, 1), CollectiveKind::all_reduce, NcclAlgorithm::nvls).value();
    // 8 channels of 40 · 0.85 · 7/8 · 2 = 59.5.
    EXPECT_SOFT_EQ(8 * 59.5 * 8 / 14, switches.bandwidth);
    EXPECT_SOFT_EQ(switches.bandwidth, switches.links);
    // Five devices: 60 · 0.85 · 4/5 · 2 = 81.6, of which NCCL believes 60.
    const NcclCandidate five = find(hopper(5, 1), CollectiveKind::all_reduce, NcclAlgorithm::nvls).value();
    EXPECT_SOFT_EQ(5 * 60.0 * 5 / 8, five.bandwidth);
    EXPECT_SOFT_EQ(5 * 81.6 * 5 / 8, five.links);
    // Two domains: the limit of trees of switches, 57.7.
    const NcclCandidate two =
        find(hopper(8, 2), CollectiveKind::all_reduce, NcclAlgorithm::nvls_tree).value();
    EXPECT_SOFT_EQ(8 * 57.7 * 16 / 30, two.bandwidth);
    // All-gather: 8 channels of 40 · 0.85 · 7/8 · 7/8.
    EXPECT_SOFT_EQ(8 * 40 * 0.85 * 7 / 8 * 7 / 8,
                   find(hopper(8, 1), CollectiveKind::all_gather, NcclAlgorithm::nvls).value().bandwidth);
}

TEST(NcclTuner, trees_between_two_domains_use_nics_both_ways) {
    // p4de: 4 channels, 24 GB/s inside and 12 into the NICs. 0.92 · 96 · 0.5.
    NcclGroup group = hopper(8, 2);
    group.node = {.generation = GpuGeneration::ampere,
                  .devices = 8,
                  .nvlink = 240.0,
                  .alone = false,
                  .nics = 4,
                  .nic = 12.5};
    const NcclCandidate tree = find(group, CollectiveKind::all_reduce, NcclAlgorithm::tree).value();
    EXPECT_SOFT_EQ(0.92 * 96 * 0.5, tree.bandwidth);
    EXPECT_SOFT_EQ(48.0, tree.fabric);
    group.domains = 4;
    EXPECT_SOFT_EQ(0.92 * 48 * 0.5,
                   find(group, CollectiveKind::all_reduce, NcclAlgorithm::tree).value().bandwidth);
}

TEST(NcclTuner, pat_serves_devices_alone_in_their_domains) {
    // 2 × 24 GB/s · 0.75; 8 + 3 · 14/3.5 + 8 · 2.8.
    const NcclCandidate pat = find(hopper(1, 8), CollectiveKind::all_gather, NcclAlgorithm::pat).value();
    EXPECT_SOFT_EQ(36.0, pat.bandwidth);
    EXPECT_SOFT_EQ(42.4, pat.latency);
    EXPECT_FALSE(find(hopper(8, 8), CollectiveKind::all_gather, NcclAlgorithm::pat));
    EXPECT_FALSE(find(hopper(1, 8), CollectiveKind::all_reduce, NcclAlgorithm::pat));
}

TEST(NcclTuner, collnet_needs_a_fabric_that_reduces) {
    NcclGroup group = hopper(8, 4);
    EXPECT_FALSE(find(group, CollectiveKind::all_reduce, NcclAlgorithm::collnet_chain));
    EXPECT_FALSE(find(group, CollectiveKind::all_reduce, NcclAlgorithm::nvls));
    group.fabric_reduces = true;
    // Chain: 8 × 48 · 0.5; 2 · 7 · 2.8 + 30. Direct: one device a NIC, · 0.85; 2 · (3.7 + 7 · 0.4) + 31.
    const NcclCandidate chain = find(group, CollectiveKind::all_reduce, NcclAlgorithm::collnet_chain).value();
    EXPECT_SOFT_EQ(192.0, chain.bandwidth);
    EXPECT_SOFT_EQ(69.2, chain.latency);
    const NcclCandidate direct =
        find(group, CollectiveKind::all_reduce, NcclAlgorithm::collnet_direct).value();
    EXPECT_SOFT_EQ(0.85 * 192.0, direct.bandwidth);
    EXPECT_SOFT_EQ(44.0, direct.latency);
    // NVLS below, switches of the fabric above: 8 × min(59.5, 48) as of a ring; 25 + 18.
    const NcclCandidate switches = find(group, CollectiveKind::all_reduce, NcclAlgorithm::nvls).value();
    EXPECT_SOFT_EQ(8 * 48.0 * 32 / 62, switches.bandwidth);
    EXPECT_SOFT_EQ(43.0, switches.latency);
    // All-gather: 8 × min(48, 0.9 · 48).
    EXPECT_SOFT_EQ(8 * 43.2,
                   find(group, CollectiveKind::all_gather, NcclAlgorithm::collnet_direct).value().bandwidth);
    group.domains = 1;
    group.node.alone = true;
    EXPECT_FALSE(find(group, CollectiveKind::all_reduce, NcclAlgorithm::collnet_chain));
}

TEST(NcclTuner, what_a_machine_lacks_is_not_offered) {
    NcclGroup group = hopper(8, 1);
    group.ll128 = false;
    EXPECT_FALSE(find(group, CollectiveKind::all_reduce, NcclAlgorithm::ring, NcclProtocol::ll128));
    group.switches_reduce = false;
    EXPECT_FALSE(find(group, CollectiveKind::all_reduce, NcclAlgorithm::nvls));
    group.switches_reduce = true;
    group.node.generation = GpuGeneration::ampere;
    EXPECT_FALSE(find(group, CollectiveKind::all_reduce, NcclAlgorithm::nvls));
    EXPECT_FALSE(find(hopper(8, 1), CollectiveKind::all_reduce, NcclAlgorithm::nvls_tree));
}

TEST(NcclTuner, a_broadcast_is_a_ring) {
    const auto ring = [](const NcclGroup& group) {
        return find(group, CollectiveKind::broadcast, NcclAlgorithm::ring).value();
    };
    EXPECT_SOFT_EQ(8.4 + 3.4, ring(hopper(8, 1)).latency);
    EXPECT_SOFT_EQ(360.0, ring(hopper(8, 1)).bandwidth);
    // Its channels start at different NICs: 16 steps.
    EXPECT_SOFT_EQ(8.4 + 16 * 14.0, ring(hopper(8, 2)).latency);
    EXPECT_SOFT_EQ(8.4 + 14.0, ring(hopper(1, 2)).latency);
    const NcclCandidates candidates = NcclTuner{hopper(8, 1)}.candidates(CollectiveKind::broadcast);
    for (const NcclCandidate& candidate : candidates.get()) {
        EXPECT_EQ(candidate.algorithm, NcclAlgorithm::ring);
    }
}

TEST(NcclTuner, long_rings_between_domains_have_a_plateau) {
    const NcclGroup group = hopper(8, 4);
    const NcclTuner tuner{group};
    const NcclCandidate ring = find(group, CollectiveKind::all_reduce, NcclAlgorithm::ring).value();
    // 64 bytes for each of 2 · 8 channels on 32 devices.
    EXPECT_SOFT_EQ(282.8, tuner.latency(ring, CollectiveKind::all_reduce, 32767.0));
    EXPECT_SOFT_EQ(1.4 * 282.8, tuner.latency(ring, CollectiveKind::all_reduce, 32768.0));
    EXPECT_SOFT_EQ(282.8, tuner.latency(ring, CollectiveKind::all_gather, 32768.0));
}

TEST(NcclTuner, trees_of_switches_are_corrected_on_blackwell_beside_x86) {
    NcclGroup group = hopper(8, 2);
    NcclCandidate tree = find(group, CollectiveKind::all_reduce, NcclAlgorithm::nvls_tree).value();
    EXPECT_EQ(NcclTuner{group}.correction(tree, 1048576.0), 1.0);
    group.node.generation = GpuGeneration::blackwell;
    EXPECT_EQ(NcclTuner{group}.correction(tree, 1048576.0), 0.5);
    group.processor = hardware::HostProcessor::arm;
    EXPECT_EQ(NcclTuner{group}.correction(tree, 1048576.0), 1.0);
}

}  // namespace
}  // namespace dse::model
