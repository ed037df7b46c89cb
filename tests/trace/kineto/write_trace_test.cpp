#include "dse/trace/kineto/write_trace.hpp"

#include <gtest/gtest.h>

#include "dse/trace/chakra/trace_check.hpp"
#include "dse/trace/chakra/trace_summary.hpp"
#include "profile_text.hpp"

namespace dse::trace::kineto {
namespace {

TEST(WriteTrace, SaysWhatTheGraphSays) {
    test::ProfileText text;
    text.host("user_annotation", "nccl:all_gather", 1, 0, 10,
              R"("Input Dims": [[10]], "Input type": ["float"])");
    text.call("launch a", 1, 2, 1, 1);
    text.kernel("ncclKernel_AllGather_RING_LL_Sum_int8_t", 20, 4, 5.5, 1);
    text.call("launch b", 1, 12, 1, 2);
    text.kernel("ncclKernel_SendRecv", 20, 14, 0.5, 2);
    const dse::test::TemporaryFolder folder;
    const WrittenTrace written = write_trace(replay_graph(text.read()), folder.path("t.0.et"));
    EXPECT_EQ(written.nodes, 4U);
    EXPECT_EQ(written.collectives, 1U);
    EXPECT_EQ(written.collectives_without_size, 0U);
    const chakra::TraceSet set = chakra::read_traces({folder.path("t.0.et")});
    const chakra::Trace& trace = *set.ranks[0].trace;
    using chakra::NodeIndex;
    EXPECT_EQ(trace.name(NodeIndex{0}), "launch a");
    EXPECT_TRUE(trace.step(NodeIndex{0}).is_cpu_op);
    EXPECT_EQ(trace.step(NodeIndex{1}).type, chakra::NodeType::comm_coll);
    EXPECT_EQ(trace.communication(NodeIndex{1}).type, chakra::CommType::all_gather);
    EXPECT_EQ(trace.communication(NodeIndex{1}).size, 40);
    EXPECT_EQ(trace.step(NodeIndex{1}).stream, 20);
    EXPECT_EQ(trace.data(NodeIndex{1}).front(), NodeIndex{0});
    // A message's ends are not known: it is a kernel. 6.5 (1 of them behind the launch) and 0.5 µs are 7 and
    // 0 in whole ones, 7 together.
    EXPECT_EQ(trace.step(NodeIndex{3}).type, chakra::NodeType::comp);
    EXPECT_EQ(trace.step(NodeIndex{1}).duration_micros, 7U);
    EXPECT_EQ(trace.step(NodeIndex{3}).duration_micros, 0U);
    EXPECT_EQ(trace.control(NodeIndex{3}).front(), NodeIndex{1});
    EXPECT_TRUE(chakra::check_traces(set, {}, chakra::Groups{1}, chakra::Coverage::some_ranks).ok());
}

}  // namespace
}  // namespace dse::trace::kineto
