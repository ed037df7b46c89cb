#include "eval/bound_roles.hpp"

#include <gtest/gtest.h>

#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

using test::SweepFiles;
using enum BoundRole;

TEST(BoundRole, FollowsFromFieldAndModels) {
    const Monotonic usual = monotonic({});
    EXPECT_EQ(bound_role("workload.stack.layout.tp", usual), structure);
    EXPECT_EQ(bound_role("system.devices", usual), structure);
    EXPECT_EQ(bound_role("system.cluster.device", usual), structure);
    EXPECT_EQ(bound_role("system.cluster.network.scale_out.bandwidth", usual), most);
    EXPECT_EQ(bound_role("system.cluster.network.scale_out.latency", usual), least);
    EXPECT_EQ(bound_role("system.cluster.network.scale_up.domain", usual), network);
    EXPECT_EQ(bound_role("system.cluster.device.matmul.sustained.bf16", usual), most);
    EXPECT_EQ(bound_role("system.cluster.device.price", usual), least);
    EXPECT_EQ(bound_role("system.cluster.network.scale_out.oversubscription", usual), sparing);
    EXPECT_EQ(bound_role("system.cluster.network.prices.optics", usual), least);
    EXPECT_EQ(bound_role("system.cluster.network.prices.tiers", usual), network);
    // NCCL's tuner may take a slower algorithm on a faster link, a table another kernel on another device.
    const Monotonic tuned = monotonic({.compute = "table", .network = "nccl", .engine = {}});
    EXPECT_EQ(bound_role("system.cluster.network.scale_out.bandwidth", tuned), network);
    EXPECT_EQ(bound_role("system.cluster.device.matmul.sustained.bf16", tuned), structure);
}

std::vector<BoundRole> roles_of(const std::string& axes) {
    const SweepFiles files;
    const study::Sweep sweep = files.load(SweepFiles::llama(axes));
    return bound_roles(sweep);
}

TEST(BoundRole, OfAnAxisThatDecidesMoreThanItsFieldIsStructure) {
    EXPECT_EQ(roles_of("axes: {cluster.network.scale_out.bandwidth: [100 Gbps, 400 Gbps]}\n"),
              (std::vector{most}));
    EXPECT_EQ(
        roles_of("axes: {cluster.network.scale_out.bandwidth: [100 Gbps, 400 Gbps]}\n"
                 "derive: {cluster.network.scale_up.bandwidth: 2 * cluster.network.scale_out.bandwidth}\n"),
        (std::vector{structure}));
    EXPECT_EQ(roles_of("axes: {cluster.network.scale_out.bandwidth: [100 Gbps, 400 Gbps]}\n"
                       "derive: {cluster.device.price: cluster.network.scale_out.bandwidth / 6e13}\n"),
              (std::vector{most}));
    // A derived model may have no order.
    EXPECT_EQ(roles_of("axes: {cluster.network.scale_out.bandwidth: [100 Gbps, 400 Gbps], tp: [1, 2]}\n"
                       "derive: {fidelity.network: \"'nccl' if tp > 1 else 'latency_bandwidth'\"}\n"),
              (std::vector{network, structure}));
    // 0 stands for a price that is not stated.
    EXPECT_EQ(roles_of("axes: {cluster.device.price: [0 USD/h, 2 USD/h]}\n"), (std::vector{structure}));
}

}  // namespace
}  // namespace dse::eval
