#include "dse/graph/stream_table.hpp"

#include <gtest/gtest.h>

namespace dse::graph {
namespace {

using Names = std::vector<std::string>;

TEST(StreamTable, HasAQueueACommunicator) {
    StreamTable table;
    const StreamId tensor = table.of(AxisSet{MeshAxis::tensor});
    const StreamId data = table.of(AxisSet{MeshAxis::data} | MeshAxis::context);
    EXPECT_EQ(table.of(AxisSet{MeshAxis::context} | MeshAxis::data), data) << "the same ranks";
    EXPECT_NE(table.of(AxisSet{MeshAxis::data}), data);
    const StreamId out = table.of(CopyDirection::to_host);
    EXPECT_NE(table.of(CopyDirection::to_device), out);
    EXPECT_NE(table.host(), tensor);
    EXPECT_EQ(table.host(), table.host());
    Graph graph;
    table.assign_to(graph);
    EXPECT_EQ(graph.streams, (Names{"compute", "tp", name(AxisSet{MeshAxis::data} | MeshAxis::context), "dp",
                                    "from device", "to device", "host"}));
    EXPECT_EQ(graph.streams[tensor.index()], "tp");
    EXPECT_FALSE(graph.message_stream.has_value());
}

TEST(StreamTable, MayHaveOneForAllCommunication) {
    StreamTable table{Queues::one};
    const StreamId only = table.of(AxisSet{MeshAxis::tensor});
    EXPECT_EQ(table.of(AxisSet{MeshAxis::data}), only);
    EXPECT_EQ(table.of(CopyDirection::to_host), only);
    EXPECT_NE(table.host(), only);
    Graph graph;
    table.assign_to(graph);
    EXPECT_EQ(graph.streams, (Names{"compute", "communication", "host"}));
    EXPECT_EQ(graph.message_stream, only);
}

TEST(StreamTable, BeginsWithTheComputeStream) {
    Graph graph;
    StreamTable{}.assign_to(graph);
    EXPECT_EQ(graph.streams, Names{"compute"});
}

}  // namespace
}  // namespace dse::graph
