// Also tests: chakra/prepared_graph.cpp, chakra/place_name.cpp
#include "dse/trace/chakra/trace_writer.hpp"

#include <gtest/gtest.h>

#include "graph/small_pipeline.hpp"
#include "read_traces.hpp"
#include "trace/chakra/streams.hpp"

namespace dse::trace::chakra {
namespace {

using graph::test::SmallPipeline;
using Ids = std::vector<std::uint64_t>;

std::vector<std::string> names_of(const std::vector<TraceNode>& nodes) {
    std::vector<std::string> names;
    for (const TraceNode& node : nodes) names.push_back(node.name);
    return names;
}

/// Two stages of two ranks: a layer is a kernel and an all-reduce that it waits for, twice.
class TwoStages : public testing::Test {
  protected:
    TwoStages() {
        made.set_degree(graph::MeshAxis::tensor, 2);
        kernel = made.kernel(50, 6, 4);
        reduce = made.add(
            graph::Collective{graph::CollectiveKind::all_reduce, graph::MeshAxis::tensor, Bytes{8}, 1.0});
        const graph::WorkId marker = made.add(graph::Launch{0});
        const graph::RegionId layer =
            made.region("my layer", 1,
                        {SmallPipeline::node(marker), SmallPipeline::node(kernel, {graph::ValueRef::port(0)}),
                         SmallPipeline::node(reduce, {graph::ValueRef::item(1)}, 1)},
                        {graph::ValueRef::item(2)});
        const graph::RegionId forward =
            made.region("forward", 1, {SmallPipeline::repeat(layer, 0, {graph::ValueRef::port(0)})},
                        {graph::ValueRef::item(0, 0)});
        const graph::RegionId backward =
            made.region("backward", 1, {SmallPipeline::node(kernel, {graph::ValueRef::port(0)})},
                        {graph::ValueRef::item(0)});
        made.finish(forward, backward, {2},
                    graph::AxisSet{graph::MeshAxis::tensor} | graph::MeshAxis::pipeline);
    }
    SmallPipeline made{2};
    graph::WorkId kernel;
    graph::WorkId reduce;
};

TEST_F(TwoStages, NameWhereANodeStands) {
    const std::vector<std::string> first{"forward.0/my_layer[0.0]/gemm.1",
                                         "forward.0/my_layer[0.0]/all_reduce_tp.2",
                                         "forward.0/my_layer[0.1]/gemm.1",
                                         "forward.0/my_layer[0.1]/all_reduce_tp.2",
                                         "forward.0/send",
                                         "backward.0/receive",
                                         "backward.0/gemm.0",
                                         "barrier/all_reduce_tp_pp"};
    EXPECT_EQ(names_of(test::trace_of(made.graph, 0)), first);
    const std::vector<std::string> second{"forward.0/receive",
                                          "forward.0/my_layer[0.0]/gemm.1",
                                          "forward.0/my_layer[0.0]/all_reduce_tp.2",
                                          "forward.0/my_layer[0.1]/gemm.1",
                                          "forward.0/my_layer[0.1]/all_reduce_tp.2",
                                          "backward.0/gemm.0",
                                          "backward.0/send",
                                          "barrier/all_reduce_tp_pp"};
    EXPECT_EQ(names_of(test::trace_of(made.graph, 3)), second);
}

// Data: what a node's inputs come from. Control: the node before it on its stream, where that is not among
// them.
TEST_F(TwoStages, WaitForInputsAndForTheirStream) {
    const std::vector<TraceNode> nodes = test::trace_of(made.graph, 0);
    ASSERT_EQ(nodes.size(), 8U);
    const std::vector<Ids> data{{}, {1}, {2}, {3}, {4}, {}, {6}, {}};
    const std::vector<Ids> control{{}, {}, {1}, {2}, {}, {}, {3}, {7, 4, 5, 6}};
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        EXPECT_EQ(nodes[n].id, n + 1);
        EXPECT_EQ(nodes[n].data_dependencies, data[n]) << nodes[n].name;
        EXPECT_EQ(nodes[n].control_dependencies, control[n]) << nodes[n].name;
    }
}

TEST_F(TwoStages, SendWhatTheOtherReceives) {
    // Ranks 1 and 3 are neighbours in the pipeline: tp is the inner axis.
    const std::vector<TraceNode> first = test::trace_of(made.graph, 1);
    const std::vector<TraceNode> second = test::trace_of(made.graph, 3);
    const std::vector<std::pair<TraceNode, TraceNode>> messages{{first[4], second[0]}, {second[6], first[5]}};
    const std::vector<std::int64_t> sizes{100, 200};
    for (std::size_t m = 0; m < messages.size(); ++m) {
        const auto& [send, receive] = messages[m];
        EXPECT_EQ(send.type, NodeType::comm_send);
        EXPECT_EQ(receive.type, NodeType::comm_recv);
        EXPECT_EQ(send.number("comm_src"), m == 0 ? 1 : 3);
        EXPECT_EQ(send.number("comm_dst"), m == 0 ? 3 : 1);
        EXPECT_EQ(send.number("comm_size"), sizes[m]);
        for (const char* name : {"comm_src", "comm_dst", "comm_size", "comm_tag"})
            EXPECT_EQ(send.number(name), receive.number(name)) << name;
    }
    EXPECT_NE(messages[0].first.number("comm_tag"), messages[1].first.number("comm_tag"));
}

TEST_F(TwoStages, NameTheirCommunicators) {
    const std::vector<TraceNode> first = test::trace_of(made.graph, 0);
    const std::vector<TraceNode> last = test::trace_of(made.graph, 3);
    // {0, 1}, {2, 3}, then everyone at the barrier.
    EXPECT_EQ(first[1].text("pg_name"), "1");
    EXPECT_EQ(last[2].text("pg_name"), "2");
    EXPECT_EQ(first[7].text("pg_name"), "3");
    EXPECT_EQ(last[7].text("pg_name"), "3");
    EXPECT_EQ(first[7].number("stream"), static_cast<std::int64_t>(barrier_stream(made.graph).index()));
}

TEST_F(TwoStages, TakeTheTimeOfTheirWork) {
    std::vector<double> seconds(made.graph.works.size(), 0.0);
    seconds[kernel.index()] = 2.5e-6;
    seconds[reduce.index()] = 4e-6;
    const std::vector<TraceNode> nodes = test::trace_of(made.graph, 0, seconds);
    // The stream's clock stands at 2.5, 5 and 7.5 µs, which round to 3, 5 and 8.
    const std::vector<std::uint64_t> micros{3, 4, 2, 4, 0, 0, 3, 0};
    for (std::size_t n = 0; n < nodes.size(); ++n)
        EXPECT_EQ(nodes[n].duration_micros, micros[n]) << nodes[n].name;
}

// Three ranks pass something around twice; a kernel takes what came in last.
TEST(TraceWriter, ShiftsAroundARingByMessages) {
    SmallPipeline made{1};
    made.set_degree(graph::MeshAxis::context, 3);
    const graph::WorkId shift = made.add(
        graph::Collective{graph::CollectiveKind::ring_shift, graph::MeshAxis::context, Bytes{60}, 1.0});
    const graph::RegionId forward = made.region(
        "forward", 1,
        {SmallPipeline::node(made.kernel(5, 5, 5)), SmallPipeline::node(shift, {graph::ValueRef::item(0)}, 1),
         SmallPipeline::node(shift, {graph::ValueRef::item(1)}, 1),
         SmallPipeline::node(made.kernel(5, 5, 5), {graph::ValueRef::item(2)})},
        {graph::ValueRef::none()});
    made.finish(forward, made.region("backward", 1, {}, {graph::ValueRef::none()}), {},
                graph::MeshAxis::context);
    EXPECT_EQ(Communicators{made.graph}.count(), 1U) << "of the barrier alone";

    std::vector<std::vector<TraceNode>> ranks;
    for (std::int64_t rank = 0; rank < 3; ++rank) ranks.push_back(test::trace_of(made.graph, rank));
    const std::vector<TraceNode>& nodes = ranks[0];
    ASSERT_EQ(nodes.size(), 7U);
    using Types = std::vector<NodeType>;
    Types types;
    for (const TraceNode& node : nodes) types.push_back(node.type);
    EXPECT_EQ(types, (Types{NodeType::comp, NodeType::comm_send, NodeType::comm_recv, NodeType::comm_send,
                            NodeType::comm_recv, NodeType::comp, NodeType::comm_coll}));
    // What is sent on came in before; what comes in waits for no value, and both for both messages before.
    const std::vector<Ids> data{{}, {1}, {}, {3}, {}, {5}, {}};
    const std::vector<Ids> control{{}, {}, {}, {2}, {2, 3}, {1}, {6, 4, 5}};
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        EXPECT_EQ(nodes[n].data_dependencies, data[n]) << n;
        EXPECT_EQ(nodes[n].control_dependencies, control[n]) << n;
    }
    for (std::size_t rank = 0; rank < 3; ++rank) {
        for (const std::size_t step : {1U, 3U}) {
            const TraceNode& sent = ranks[rank][step];
            const TraceNode& received = ranks[(rank + 1) % 3][step + 1];
            EXPECT_EQ(sent.number("comm_src"), static_cast<std::int64_t>(rank));
            EXPECT_EQ(sent.number("comm_dst"), static_cast<std::int64_t>((rank + 1) % 3));
            EXPECT_EQ(sent.number("comm_size"), 60);
            for (const char* name : {"comm_src", "comm_dst", "comm_size", "comm_tag"})
                EXPECT_EQ(sent.number(name), received.number(name)) << name;
        }
        EXPECT_NE(ranks[rank][1].number("comm_tag"), ranks[rank][3].number("comm_tag"));
    }
}

TEST(TraceWriter, ChainsTheNodesOfAStream) {
    SmallPipeline made{1};
    const graph::WorkId kernel = made.kernel(1, 1, 1);
    const graph::RegionId pass = made.region(
        "pass", 1, {SmallPipeline::node(kernel), SmallPipeline::node(kernel)}, {graph::ValueRef::none()});
    made.finish(pass, pass);
    const std::vector<TraceNode> nodes = test::trace_of(made.graph, 0);
    ASSERT_EQ(nodes.size(), 4U);  // and no barrier of one rank
    for (std::size_t n = 1; n < nodes.size(); ++n) EXPECT_EQ(nodes[n].control_dependencies, Ids{n});
}

/// Streams: compute, host, communication; on the latter messages as well.
class OneQueue : public testing::Test {
  protected:
    OneQueue() {
        made.graph.streams = {"compute", "host", "communication"};
        made.graph.message_stream = graph::StreamId{2};
        made.set_degree(graph::MeshAxis::tensor, 2);
        reduce = made.add(
            graph::Collective{graph::CollectiveKind::all_reduce, graph::MeshAxis::tensor, Bytes{8}, 1.0});
        const graph::WorkId kernel = made.kernel(1, 1, 1);
        const graph::RegionId forward =
            made.region("forward", 1,
                        {SmallPipeline::node(kernel, {graph::ValueRef::port(0)}),
                         SmallPipeline::node(reduce, {graph::ValueRef::item(0)}, 2)},
                        {graph::ValueRef::item(0)});
        const graph::RegionId backward =
            made.region("backward", 1, {SmallPipeline::node(kernel, {graph::ValueRef::port(0)})},
                        {graph::ValueRef::item(0)});
        made.finish(forward, backward, {},
                    graph::AxisSet{graph::MeshAxis::tensor} | graph::MeshAxis::pipeline);
    }
    SmallPipeline made{2};
    graph::WorkId reduce;
};

// First stage: kernel 1, all-reduce 2, send 3, receive 4, kernel 5, barrier 6. The send follows the
// all-reduce although its value was there before; nobody follows a receive but its kernel.
TEST_F(OneQueue, OrdersSendsAmongCollectivesAndReceivesNot) {
    const std::vector<TraceNode> nodes = test::trace_of(made.graph, 0);
    ASSERT_EQ(nodes.size(), 6U);
    const std::vector<Ids> data{{}, {1}, {1}, {}, {4}, {}};
    const std::vector<Ids> control{{}, {}, {2}, {}, {1}, {5, 3}};
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        EXPECT_EQ(nodes[n].data_dependencies, data[n]) << nodes[n].name;
        EXPECT_EQ(nodes[n].control_dependencies, control[n]) << nodes[n].name;
    }
    EXPECT_EQ(nodes[2].number("stream"), 2);
    EXPECT_EQ(nodes[3].type, NodeType::comm_recv);
    EXPECT_EQ(nodes[3].number("stream"), std::nullopt);
}

// A kernel on the host's stream that is launched behind a marker, which waits for a collective.
TEST(TraceWriter, WritesLaunchesAndHandsOnWhatMarkersWaitFor) {
    SmallPipeline made{1};
    made.graph.streams = {"compute", "host", "communication"};
    made.set_degree(graph::MeshAxis::tensor, 2);
    const graph::WorkId reduce = made.add(
        graph::Collective{graph::CollectiveKind::all_reduce, graph::MeshAxis::tensor, Bytes{8}, 1.0});
    const graph::WorkId marker = made.add(graph::Launch{0});
    const graph::WorkId launch = made.add(graph::Launch{3});
    const graph::RegionId forward = made.region(
        "forward", 1,
        {SmallPipeline::node(launch, {}, 1), SmallPipeline::node(reduce, {}, 2),
         SmallPipeline::node(marker, {graph::ValueRef::item(1)}, 1), SmallPipeline::node(launch, {}, 1),
         SmallPipeline::node(made.kernel(1, 1, 1), {graph::ValueRef::item(3)})},
        {graph::ValueRef::none()});
    made.finish(forward, made.region("backward", 1, {}, {graph::ValueRef::none()}));
    std::vector<double> seconds(made.graph.works.size(), 0.0);
    seconds[launch.index()] = 30e-6;
    const std::vector<TraceNode> nodes = test::trace_of(made.graph, 0, seconds);
    ASSERT_EQ(nodes.size(), 4U);
    EXPECT_EQ(nodes[0].name, "forward.0/launch.0");
    EXPECT_EQ(nodes[0].type, NodeType::comp);
    EXPECT_EQ(*nodes[0].attribute("is_cpu_op"), AttributeValue{true});
    EXPECT_EQ(*nodes[3].attribute("is_cpu_op"), AttributeValue{false});
    EXPECT_EQ(nodes[0].duration_micros, 30U);
    EXPECT_EQ(nodes[2].control_dependencies, (Ids{1, 2}));
    EXPECT_EQ(nodes[3].data_dependencies, Ids{3});
}

// Two stages add something: each waits for all that it has issued.
TEST(TraceWriter, MeetsAnotherStageBehindAllStreams) {
    SmallPipeline made{2};
    made.graph.streams = {"compute", "host", "pp"};
    const graph::WorkId meeting = made.add(graph::Collective{
        graph::CollectiveKind::all_reduce, graph::MeshAxis::pipeline, Bytes{8}, 1.0, graph::Members::ends});
    const graph::WorkId kernel = made.kernel(1, 1, 1);
    const graph::RegionId pass = made.region(
        "pass", 1, {SmallPipeline::node(kernel, {graph::ValueRef::port(0)})}, {graph::ValueRef::item(0)});
    made.finish(pass, pass);
    const graph::RegionId finish = made.region("finish", 0, {SmallPipeline::node(meeting, {}, 2)}, {});
    made.graph.programs[0].finish = finish;
    const std::vector<TraceNode> nodes = test::trace_of(made.graph, 0);
    const auto met = std::find_if(nodes.begin(), nodes.end(),
                                  [](const TraceNode& node) { return node.type == NodeType::comm_coll; });
    ASSERT_NE(met, nodes.end());
    // The kernel of the backward pass is 4; messages have streams of their own, which the graph does not
    // name.
    EXPECT_EQ(met->control_dependencies, Ids{4});
}

TEST(TraceWriter, NamesChunksWhereThereAreSeveral) {
    SmallPipeline made{2};
    make_schedule(graph::ScheduleKind::interleaved, 2, 2, 2, made.graph.schedule);
    const graph::RegionId pass =
        made.region("pass", 1, {SmallPipeline::node(made.kernel(1, 1, 1), {graph::ValueRef::port(0)})},
                    {graph::ValueRef::item(0)});
    made.finish(pass, pass);
    const std::vector<std::string> names = names_of(test::trace_of(made.graph, 0));
    EXPECT_EQ(names[0], "forward.0.chunk0/gemm.0");
    EXPECT_NE(std::find(names.begin(), names.end(), "forward.1.chunk1/receive"), names.end());
}

}  // namespace
}  // namespace dse::trace::chakra
