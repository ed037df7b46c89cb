#include "dse/trace/chakra/trace_summary.hpp"

#include <gtest/gtest.h>

#include "built_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::WrittenTrace;

TEST(TraceSummary, AddsUpByHand) {
    WrittenTrace written;
    for (std::uint64_t id = 1; id <= 3; ++id) {
        wire::Node& kernel = written.add(id, "k", wire::COMP_NODE);
        kernel.set_duration_micros(10 * id);
        attribute(kernel, "num_ops").set_int64_val(100);
        attribute(kernel, "tensor_size").set_uint64_val(8);
        attribute(kernel, "stream").set_int64_val(id == 3 ? 20 : 7);
        if (id == 2) attribute(kernel, "is_cpu_op").set_bool_val(true);
    }
    for (std::uint64_t id = 4; id <= 6; ++id) {
        wire::Node& collective = written.add(id, "c", wire::COMM_COLL_NODE, {1});
        collective.add_control_dependencies(3);
        attribute(collective, "comm_size").set_int64_val(1000);
        attribute(collective, "comm_type").set_int64_val(2);
        attribute(collective, "pg_name").set_string_val(id == 6 ? "b" : "a");
    }
    attribute(written.add(7, "load", wire::MEM_LOAD_NODE), "tensor_size").set_uint64_val(64);
    const RankTrace read = test::read_back(written);
    const TraceSummary summary = summarise(*read.trace);
    EXPECT_EQ(summary.nodes, 7U);
    EXPECT_EQ(summary.by_type[static_cast<std::size_t>(NodeType::comp)], 3U);
    EXPECT_EQ(summary.host_nodes, 1U);
    EXPECT_EQ(summary.num_ops, 200);
    EXPECT_EQ(summary.kernel_bytes, 16);
    EXPECT_EQ(summary.copied_bytes, 64);
    EXPECT_EQ(summary.control_dependencies, 3U);
    EXPECT_EQ(summary.data_dependencies, 3U);
    ASSERT_EQ(summary.communication.size(), 2U);
    EXPECT_EQ(summary.communication[0].nodes, 2U);
    EXPECT_EQ(summary.communication[0].bytes, 2000);
    EXPECT_EQ(name(summary.communication[0].kind), "all_gather");
    EXPECT_EQ(read.groups[summary.communication[1].group], "b");
    EXPECT_EQ(summary.path_cost, NodeCost::duration);
    EXPECT_EQ(summary.path.length, 30U);  // node 3; what waits for it takes no time
    ASSERT_EQ(summary.lanes.size(), 4U);
    EXPECT_EQ(summary.lanes[3].lane.number, 20);
    EXPECT_EQ(summary.lanes[3].micros, 30U);
}

TEST(TraceSummary, CountsNodesWhereNoTimeIsRecorded) {
    WrittenTrace written;
    written.add(1, "a", wire::COMP_NODE);
    written.add(2, "b", wire::COMP_NODE, {1});
    const TraceSummary summary = summarise(*test::read_back(written).trace);
    EXPECT_EQ(summary.path_cost, NodeCost::one);
    EXPECT_EQ(summary.path.length, 2U);
}

TEST(TraceSummary, HasNoPathThroughACycle) {
    WrittenTrace written;
    written.add(1, "a", wire::COMP_NODE, {1});
    EXPECT_TRUE(summarise(*test::read_back(written).trace).path.nodes.empty());
}

}  // namespace
}  // namespace dse::trace::chakra
