#include "dse/trace/kineto/replay_graph.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "profile_text.hpp"

namespace dse::trace::kineto {
namespace {

using test::ProfileText;

const ReplayNode& node_of(const ReplayGraph& graph, const std::string& name) {
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [&name](const ReplayNode& node) { return node.name == name; });
    EXPECT_NE(found, graph.nodes.end()) << name;
    return *found;
}

std::vector<std::string> waits_of(const ReplayGraph& graph, const std::string& name) {
    std::vector<std::string> names;
    for (const std::uint32_t other : node_of(graph, name).data) names.push_back(graph.nodes[other].name);
    std::sort(names.begin(), names.end());
    return names;
}
using Names = std::vector<std::string>;

/// Host: 0–10 an operator that launches a at 4 and b at 8, then waits from 12 until b has ended at 60, and
/// works till 70. Device: a 5–30, b 30–60.
ProfileText launches() {
    ProfileText text;
    text.host("cpu_op", "aten::mm", 1, 0, 10);
    text.call("launch a", 1, 4, 2, 1);
    text.call("launch b", 1, 8, 2, 2);
    text.kernel("a", 7, 5, 25, 1);
    text.kernel("b", 7, 30, 30, 2);
    text.call("cudaStreamSynchronize", 1, 12, 50, 3);
    text.host("cpu_op", "aten::item", 1, 62, 8);
    return text;
}

TEST(ReplayGraph, LaunchesStreamsAndSynchronisationByHand) {
    const ReplayGraph graph = replay_graph(launches().read());
    EXPECT_EQ(waits_of(graph, "a"), Names{"launch a"});
    EXPECT_EQ(waits_of(graph, "b"), Names{"launch b"});
    EXPECT_EQ(graph.nodes[*node_of(graph, "b").before].name, "a");
    EXPECT_EQ(waits_of(graph, "cudaStreamSynchronize"), Names{"b"});
    // a begins within its launch, so the host hands on at 5; b waits in the queue: its launch ends with the
    // call.
    EXPECT_EQ(node_of(graph, "launch a").duration, 5000);
    EXPECT_EQ(node_of(graph, "launch b").duration, 5000);
    // The call returns at 62, 2 behind the end of b.
    EXPECT_EQ(node_of(graph, "cudaStreamSynchronize").duration, 2000);
    EXPECT_EQ(node_of(graph, "host").duration, 8000);
    EXPECT_EQ(graph.recorded, 70000);
    EXPECT_EQ(replay_time(graph), 70000);
}

TEST(ReplayGraph, AnswersWhatIfKernelsWereFaster) {
    ReplayGraph graph = replay_graph(launches().read());
    for (ReplayNode& node : graph.nodes) {
        if (node.place == ReplayNode::Place::device) node.duration = 1000;
    }
    // Host bound: b is launched at 10, ends at 11, is waited for till 13, and 8 more.
    EXPECT_EQ(replay_time(graph), 21000);
}

TEST(ReplayGraph, EventsOrderStreams) {
    ProfileText text;
    text.call("launch a", 1, 0, 1, 1);
    text.kernel("a", 7, 1, 10, 1);
    text.call("cudaStreamWaitEvent", 1, 2, 1, 2);
    text.call("launch c", 1, 4, 1, 3);
    text.kernel("c", 20, 11, 5, 3);
    text.call("launch d", 1, 6, 1, 4);
    text.kernel("d", 20, 16, 5, 4);
    const ReplayGraph unnamed = replay_graph(text.read());
    EXPECT_EQ(waits_of(unnamed, "c"), (Names{"a", "launch c"}));
    EXPECT_EQ(waits_of(unnamed, "d"), Names{"launch d"});
    EXPECT_EQ(unnamed.unnamed_waits, 1U);
    // It is stream 20 that waits, for an event that nobody on stream 7 had been launched before.
    text.call("cudaEventRecord", 1, -1, 1, 9);
    text.sync("Stream Wait Event", 2,
              R"("stream": 20, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 9)");
    const ReplayGraph named = replay_graph(text.read());
    EXPECT_EQ(waits_of(named, "c"), Names{"launch c"});
    EXPECT_EQ(named.unnamed_waits, 0U);
}

TEST(ReplayGraph, NothingWaitsForWhatEndedLater) {
    ProfileText text;
    text.call("launch a", 1, 0, 1, 1);
    text.kernel("a", 7, 1, 100, 1);
    text.call("cudaStreamWaitEvent", 1, 2, 1, 2);
    text.call("launch c", 1, 4, 1, 3);
    text.kernel("c", 20, 11, 5, 3);
    EXPECT_EQ(waits_of(replay_graph(text.read()), "c"), Names{"launch c"});
}

TEST(ReplayGraph, DeviceSynchronisationWaitsForAllStreams) {
    ProfileText text;
    text.call("launch a", 1, 0, 1, 1);
    text.kernel("a", 7, 1, 10, 1);
    text.call("launch b", 1, 2, 1, 2);
    text.kernel("b", 8, 3, 10, 2);
    text.call("hipDeviceSynchronize", 1, 4, 20, 3);
    EXPECT_EQ(waits_of(replay_graph(text.read()), "hipDeviceSynchronize"), (Names{"a", "b"}));
}

TEST(ReplayGraph, CopiesThatBlockAreWaitedFor) {
    ProfileText text;
    text.call("hipMemcpyWithStream", 1, 0, 20, 1);
    text.kernel("copy", 7, 5, 10, 1, "", "gpu_memcpy");
    const ReplayGraph graph = replay_graph(text.read());
    EXPECT_EQ(waits_of(graph, "hipMemcpyWithStream (wait)"), Names{"copy"});
    EXPECT_EQ(node_of(graph, "hipMemcpyWithStream (wait)").duration, 5000);
}

/// Thread 1 calls backward at 10 and goes on at 50; thread 2 launches within, from 12 to 48.
TEST(ReplayGraph, ThreadsHandOver) {
    ProfileText text;
    text.host("cpu_op", "forward", 1, 0, 10);
    text.call("launch f", 1, 2, 1, 1);
    text.kernel("f", 7, 3, 2, 1);
    text.host("cpu_op", "backward", 2, 12, 36);
    text.call("launch g", 2, 20, 1, 2);
    text.kernel("g", 7, 21, 2, 2);
    text.host("cpu_op", "step", 1, 50, 10);
    text.call("launch h", 1, 52, 1, 3);
    text.kernel("h", 7, 53, 2, 3);
    const ReplayGraph graph = replay_graph(text.read());
    EXPECT_EQ(waits_of(graph, "launch g"), Names{"launch f"});
    // Behind the last call of thread 2 comes what it does till 48.
    EXPECT_EQ(waits_of(graph, "launch h"), Names{"host"});
    EXPECT_EQ(node_of(graph, "launch g").duration, 18000);  // 3 to 21
    EXPECT_EQ(node_of(graph, "launch h").duration, 5000);   // 48 to 53
    EXPECT_EQ(replay_time(graph), graph.recorded);
}

TEST(ReplayGraph, AdoptsWorkWithoutALaunch) {
    ProfileText text;
    text.call("launch a", 1, 0, 1, 1);
    text.kernel("a", 7, 1, 2, 1);
    text.kernel("graph", 7, 10, 2, 99);
    const ReplayGraph graph = replay_graph(text.read());
    EXPECT_EQ(graph.orphans, 1U);
    EXPECT_EQ(waits_of(graph, "graph"), Names{"launch a"});
    EXPECT_EQ(graph.nodes[*node_of(graph, "graph").before].name, "a");
    EXPECT_EQ(node_of(graph, "graph").pause, 7000) << "from the end of a, 3 us, to 10";
    EXPECT_EQ(replay_time(graph), graph.recorded);
}

TEST(ReplayGraph, WorkFromBeforeTheProfileStartsWhenItDid) {
    ProfileText text;
    text.host("cpu_op", "aten::mm", 1, 0, 50);
    text.kernel("early", 7, 10, 2, 99);
    const ReplayGraph graph = replay_graph(text.read());
    EXPECT_EQ(waits_of(graph, "early"), Names{"before the profile"});
    EXPECT_EQ(node_of(graph, "before the profile").duration, 10000);
}

/// The thread that waits launches nothing more; the kernel is another thread's.
TEST(ReplayGraph, WaitsReachOtherThreads) {
    ProfileText text;
    text.call("launch a", 1, 0, 1, 1);
    text.kernel("a", 20, 1, 10, 1);
    text.call("cudaStreamWaitEvent", 1, 2, 1, 2);
    text.call("launch c", 2, 4, 1, 3);
    text.kernel("c", 7, 11, 5, 3);
    EXPECT_EQ(waits_of(replay_graph(text.read()), "c"), (Names{"a", "launch c"}));
}

TEST(ReplayGraph, CollectivesKnowTheirNotes) {
    ProfileText text;
    text.host("user_annotation", "nccl:all_reduce", 1, 0, 10,
              R"("Input Dims": [[10]], "Input type": ["float"])");
    text.call("launch", 1, 2, 1, 1);
    text.kernel("ncclKernel_AllReduce_RING_LL_Sum_float", 20, 4, 5, 1);
    const ReplayGraph graph = replay_graph(text.read());
    const auto& collective = node_of(graph, "ncclKernel_AllReduce_RING_LL_Sum_float").collective;
    ASSERT_TRUE(collective);
    EXPECT_EQ(collective->kind, chakra::CommType::all_reduce);
    EXPECT_EQ(collective->bytes, 40);
}

TEST(ReplayGraph, OfAnEmptyProfileIsEmpty) {
    const ReplayGraph graph = replay_graph(ProfileText{}.read());
    EXPECT_TRUE(graph.nodes.empty());
    EXPECT_EQ(replay_time(graph), 0);
}

/// A step of a model in one CUDA graph, launched within 10: three kernels of 4 with 2 between them on the
/// main stream, and a copy beside the second one on another, for which the third waits 1. Then the host
/// waits.
ProfileText graph_launch() {
    ProfileText text;
    text.host("cpu_op", "forward", 1, 0, 5);
    text.call("cudaGraphLaunch", 1, 5, 10, 1);
    text.kernel("a", 7, 20, 4, 1, ", \"graph id\": 3, \"graph node id\": 1");
    text.kernel("b", 7, 26, 4, 1);
    text.kernel("copy", 9, 26, 6, 1, "", "gpu_memcpy");
    text.kernel("c", 7, 33, 4, 1);
    text.call("cudaStreamSynchronize", 1, 15, 25, 2);
    return text;
}

TEST(ReplayGraph, WorkOfACudaGraphKeepsItsPauses) {
    const ReplayGraph graph = replay_graph(graph_launch().read());
    EXPECT_EQ(node_of(graph, "a").pause, 5000) << "the launch ended at 15";
    EXPECT_EQ(node_of(graph, "b").pause, 2000);
    EXPECT_EQ(waits_of(graph, "copy"), (Names{"a", "cudaGraphLaunch"}));
    EXPECT_EQ(node_of(graph, "copy").pause, 2000);
    EXPECT_EQ(waits_of(graph, "c"), (Names{"copy", "cudaGraphLaunch"}));
    EXPECT_EQ(node_of(graph, "c").pause, 1000);
    EXPECT_EQ(node_of(graph, "c").duration, 4000);
    // 15, 5, then 4 + 2 + 6 + 1 + 4 behind it, and the host goes on 3 later: as recorded.
    EXPECT_EQ(graph.recorded, 40000);
    EXPECT_EQ(replay_time(graph), 40000);
}

/// The second launch waits for the first one's last kernel, and makes its own pause.
TEST(ReplayGraph, CudaGraphsFollowEachOther) {
    ProfileText text;
    text.call("cudaGraphLaunch", 1, 0, 2, 1);
    text.call("cudaGraphLaunch", 1, 2, 2, 2);
    text.kernel("a", 7, 4, 5, 1);
    text.kernel("b", 7, 10, 5, 1);
    text.kernel("c", 7, 18, 5, 2);
    text.kernel("d", 7, 24, 5, 2);
    const ReplayGraph graph = replay_graph(text.read());
    EXPECT_EQ(graph.nodes[*node_of(graph, "c").before].name, "b");
    EXPECT_EQ(node_of(graph, "c").pause, 3000);
    EXPECT_EQ(replay_time(graph), 29000);
}

/// A step cut out of a server's work: the device is busy for 8 ms with what was launched before.
TEST(ReplayGraph, FirstWorkWaitsForWhatTheRecordingDoesNotShow) {
    ProfileText text;
    text.call("cudaLaunchKernel", 1, 0, 2, 1);
    text.call("cudaLaunchKernel", 1, 3, 2, 2);
    text.kernel("a", 7, 8000, 5, 1);
    text.kernel("b", 7, 8005, 5, 2);
    const ReplayGraph graph = replay_graph(text.read());
    EXPECT_EQ(node_of(graph, "a").pause, 7998000);
    EXPECT_EQ(node_of(graph, "b").pause, 0);
    EXPECT_EQ(replay_time(graph), 8010000);
}

}  // namespace
}  // namespace dse::trace::kineto
