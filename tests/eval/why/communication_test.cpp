#include "dse/eval/why/communication.hpp"

#include <map>

#include <gtest/gtest.h>

#include "eval/why/explained.hpp"

namespace dse::eval {
namespace {

/// What is exposed of single collectives is what the parts say of their groups.
TEST(Communication, ExposedTimeIsThatOfTheParts) {
    for (const std::string& yaml : test::explained_sweeps()) {
        const test::Explained point{yaml};
        std::map<std::string, double> exposed;
        for (const CommunicationRow& row : communication_of(point.played(), point.explanation()).rows)
            exposed[row.group] += row.exposed();
        // Both foldings of the ranks have the pipeline's axis.
        std::map<std::string, double> parts;
        const sim::Parts& stage = point.explanation().result.stages[point.played().busiest_stage()];
        parts[graph::name(graph::MeshAxis::pipeline)] = stage.message;
        for (std::size_t group = 0; group < stage.communication.size(); ++group)
            parts[graph::name(graph::group_axes(group))] += stage.communication[group];
        for (const auto& [group, seconds] : parts)
            EXPECT_NEAR(exposed[group], seconds, 1e-9 * point.time()) << group << "\n" << yaml;
    }
}

const CommunicationRow* find(const Communication& all, const std::string& what, const std::string& group) {
    for (const CommunicationRow& row : all.rows) {
        if (row.what == what && row.group == group) return &row;
    }
    return nullptr;
}

/// Llama-3 8B has 32 layers, each with two all-gathers of [2048, 4096] bf16 activations forward: 16 MiB a
/// microbatch of one sequence. tp = 8 lies inside a domain of 8.
TEST(Communication, CountsBuffersByHand) {
    const test::Explained point{
        test::SweepFiles::llama("axes: {tp: [8], pp: [1]}\n", "dp: 2, regather_inputs: false")};
    const Communication all = communication_of(point.played(), point.explanation());
    const CommunicationRow* gathers = find(all, "all_gather", "tp");
    ASSERT_NE(gathers, nullptr);
    EXPECT_EQ(gathers->ranks, 8);
    // The backward pass has as many, of gradients; one more stands before the head, and one before the
    // embedding's gradient.
    EXPECT_DOUBLE_EQ(gathers->count, 8 * (32 * 4 + 2)) << "8 microbatches";
    const double buffer = 2048.0 * 4096 * 2;
    EXPECT_DOUBLE_EQ(gathers->bytes, gathers->count * buffer);
    EXPECT_DOUBLE_EQ(gathers->sent[0], gathers->bytes * 7 / 8);
    EXPECT_EQ(gathers->sent[1], 0.0);
    EXPECT_DOUBLE_EQ(gathers->algorithm_bandwidth, gathers->bytes / gathers->seconds);
    EXPECT_DOUBLE_EQ(gathers->bus_bandwidth, gathers->algorithm_bandwidth * 7 / 8);
    // No busier than its links: 450 GB/s.
    EXPECT_LT(gathers->bus_bandwidth, 450e9);
    EXPECT_GT(gathers->bus_bandwidth, 100e9);
}

/// Two ranks of dp in different domains use the fabric only, and tp the domains only.
TEST(Communication, TiersCarryTheirOwnGroups) {
    const test::Explained point{test::SweepFiles::llama("axes: {tp: [8], pp: [1]}\n", "dp: 2, zero: 0")};
    const Communication all = communication_of(point.played(), point.explanation());
    ASSERT_EQ(all.tiers.size(), 2U);
    EXPECT_EQ(all.tiers[0].tier.name, "scale_up");
    EXPECT_EQ(all.tiers[1].tier.name, "scale_out");
    EXPECT_EQ(all.tiers[0].tier.size, 8);
    EXPECT_EQ(all.tiers[1].tier.size, 2);
    const CommunicationRow* reduced = find(all, "all_reduce", "dp");
    ASSERT_NE(reduced, nullptr);
    EXPECT_EQ(reduced->sent[0], 0.0);
    // All-reduce of two: each sends the whole buffer once, 2 · 1/2.
    EXPECT_DOUBLE_EQ(reduced->sent[1], reduced->bytes);
    double sent = 0;
    for (const CommunicationRow& row : all.rows) sent += row.sent[1];
    EXPECT_DOUBLE_EQ(all.tiers[1].bytes, sent);
    EXPECT_DOUBLE_EQ(all.tiers[1].utilization, sent / (50e9 * point.time()));
}

TEST(Communication, ReportsDimensionsWhereTheNetworkHasThem) {
    const test::Explained point{
        test::SweepFiles::llama("axes: {tp: [4], pp: [1]}\nfidelity: {network: multi_dim}\n", "dp: 4",
                                "{base: h100_ndr400, network: {dimensions: "
                                "[{kind: ring, size: 4, bandwidth: 100 GB/s, latency: 1 us}, "
                                "{kind: switch, bandwidth: 50 GB/s, latency: 2 us}]}}")};
    const Communication all = communication_of(point.played(), point.explanation());
    ASSERT_EQ(all.tiers.size(), 2U);
    EXPECT_EQ(all.tiers[0].tier.name, "dimension 0 (ring)");
    // A ring's device has a link to either side.
    EXPECT_DOUBLE_EQ(all.tiers[0].tier.bandwidth.value(), 200e9);
    EXPECT_EQ(all.tiers[1].tier.name, "dimension 1 (switch)");
    EXPECT_EQ(all.tiers[1].tier.size, 4);
}

}  // namespace
}  // namespace dse::eval
