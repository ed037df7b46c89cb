#include "trace/chakra/node_fields.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "read_traces.hpp"

namespace dse::trace::chakra {
namespace {

using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

const graph::Mesh mesh = [] {
    graph::Mesh made;
    made.size[static_cast<std::size_t>(graph::MeshAxis::tensor)] = 4;
    made.size[static_cast<std::size_t>(graph::MeshAxis::pipeline)] = 3;
    return made;
}();
const graph::StreamId stream{3};

graph::Compute gemm(double executed, double model) {
    graph::Compute compute;
    compute.op_class = graph::OpClass::gemm;
    compute.executed_flop = Flop{executed};
    compute.model_flop = Flop{model};
    compute.read = Bytes{300};
    compute.written = Bytes{100};
    return compute;
}

// num_ops is int64 and tensor_size uint64: the standard's feeder reads these kinds and no others.
TEST(NodeFields, OfAComputation) {
    const TraceNode node = test::decoded(fields_of(gemm(5000, 5000), stream, mesh));
    EXPECT_EQ(node.type, NodeType::comp);
    const Attributes expected{{"is_cpu_op", false},
                              {"stream", std::int64_t{3}},
                              {"num_ops", std::int64_t{5000}},
                              {"tensor_size", std::uint64_t{400}},
                              {"op_type", "gemm"}};
    EXPECT_EQ(node.attributes, expected);
}

TEST(NodeFields, TellWorkThatTheModelDoesNotAskFor) {
    const TraceNode node = test::decoded(fields_of(gemm(5000, 2000), stream, mesh));
    EXPECT_EQ(node.number("num_ops"), 5000);
    EXPECT_EQ(node.number("model_ops"), 2000);
}

// ASTRA-sim divides by the operations, and never goes on after a kernel without bytes.
TEST(NodeFields, GiveEveryKernelAnOperationAndAByte) {
    const TraceNode moves = test::decoded(fields_of(gemm(0, 0), stream, mesh));
    EXPECT_EQ(moves.number("num_ops"), 1);
    EXPECT_EQ(moves.number("tensor_size"), 400);
    const TraceNode nothing = test::decoded(fields_of(graph::Compute{}, stream, mesh));
    EXPECT_EQ(nothing.number("num_ops"), 1);
    EXPECT_EQ(nothing.number("tensor_size"), 1);
}

struct CollectiveCase {
    graph::CollectiveKind kind;
    std::int64_t number;
    std::int64_t size;  ///< of 1000 bytes over four ranks
};

class NodeFieldsOfCollectives : public testing::TestWithParam<CollectiveCase> {};

TEST_P(NodeFieldsOfCollectives, CountWhatARankPutsIn) {
    const graph::Collective collective{GetParam().kind, graph::MeshAxis::tensor, Bytes{1000}, 1.0};
    const TraceNode node = test::decoded(fields_of(collective, stream, mesh), communicator_field(17));
    EXPECT_EQ(node.type, NodeType::comm_coll);
    const Attributes expected{{"is_cpu_op", false},
                              {"stream", std::int64_t{3}},
                              {"comm_type", GetParam().number},
                              {"comm_size", GetParam().size},
                              {"pg_name", "17"}};
    EXPECT_EQ(node.attributes, expected);
}

INSTANTIATE_TEST_SUITE_P(Kinds, NodeFieldsOfCollectives,
                         testing::Values(CollectiveCase{graph::CollectiveKind::all_reduce, 0, 1000},
                                         CollectiveCase{graph::CollectiveKind::all_gather, 2, 250},
                                         CollectiveCase{graph::CollectiveKind::broadcast, 5, 1000},
                                         CollectiveCase{graph::CollectiveKind::all_to_all, 6, 1000},
                                         CollectiveCase{graph::CollectiveKind::reduce_scatter, 7, 1000}));

TEST(NodeFields, OfACollectiveOfThePipelinesEnds) {
    graph::Collective gather{graph::CollectiveKind::all_gather, graph::MeshAxis::pipeline, Bytes{1000}, 1.0,
                             graph::Members::ends};
    EXPECT_EQ(test::decoded(fields_of(gather, stream, mesh)).number("comm_size"), 500);
    EXPECT_EQ(name_of(gather), "all_gather_pp_ends");
    gather.members = graph::Members::mirrors;
    EXPECT_EQ(test::decoded(fields_of(gather, stream, mesh)).number("comm_size"), 500);
    EXPECT_EQ(name_of(gather), "all_gather_pp_mirrors");
}

TEST(NodeFields, OfACollectiveOfOneRank) {
    const graph::Collective alone{graph::CollectiveKind::all_reduce, graph::MeshAxis::context, Bytes{1000},
                                  1.0};
    const TraceNode node = test::decoded(fields_of(alone, stream, mesh));
    EXPECT_EQ(node.type, NodeType::comp);
    EXPECT_EQ(node.number("num_ops"), 1);
    EXPECT_EQ(node.number("tensor_size"), 1);
}

TEST(NodeFields, CopiesAreLoadsAndStores) {
    const TraceNode out =
        test::decoded(fields_of(graph::Copy{Bytes{64}, graph::CopyDirection::to_host}, stream, mesh));
    EXPECT_EQ(out.type, NodeType::mem_store);
    EXPECT_EQ(out.number("tensor_size"), 64);
    const TraceNode in =
        test::decoded(fields_of(graph::Copy{Bytes{64}, graph::CopyDirection::to_device}, stream, mesh));
    EXPECT_EQ(in.type, NodeType::mem_load);
}

TEST(NodeFields, OfAnUpdateOnTheHost) {
    const graph::HostUpdate update{Bytes{160}, Bytes{140}};
    const TraceNode node = test::decoded(fields_of(update, stream, mesh));
    EXPECT_EQ(node.type, NodeType::comp);
    EXPECT_EQ(node.number("tensor_size"), 300);
    EXPECT_EQ(name_of(update), "host_update");
}

TEST(NodeFields, OfMessages) {
    const Message message{Bytes{100}, 5, 9, 42, stream};
    const Attributes expected{
        {"is_cpu_op", false},          {"stream", std::int64_t{3}},   {"comm_size", std::int64_t{100}},
        {"comm_src", std::int64_t{5}}, {"comm_dst", std::int64_t{9}}, {"comm_tag", std::int64_t{42}}};
    const TraceNode send = test::decoded(fields_of_send(message));
    EXPECT_EQ(send.type, NodeType::comm_send);
    EXPECT_EQ(send.attributes, expected);
    const TraceNode receive = test::decoded(fields_of_receive(message));
    EXPECT_EQ(receive.type, NodeType::comm_recv);
    EXPECT_EQ(receive.attributes, expected);
}

TEST(NodeFields, OfLaunchesSayThatTheHostIsBusy) {
    const TraceNode launch = test::decoded(fields_of(graph::Launch{3}, stream, mesh));
    EXPECT_EQ(launch.type, NodeType::comp);
    EXPECT_EQ(launch.attributes, (Attributes{{"is_cpu_op", true}, {"stream", std::int64_t{3}}}));
    EXPECT_EQ(name_of(graph::Launch{3}), "launch");
}

TEST(NodeFields, AreNotThereForMessagesWithoutEnds) {
    EXPECT_THROW(fields_of(graph::Transfer{Bytes{1}, 0.0}, stream, mesh), ContractViolation);
}

TEST(NodeFields, HaveNames) {
    EXPECT_EQ(name_of(gemm(1, 1)), "gemm");
    EXPECT_EQ(name_of(graph::Copy{Bytes{64}, graph::CopyDirection::to_device}), "copy_to_device");
    const graph::AxisSet both = graph::AxisSet{graph::MeshAxis::tensor} | graph::MeshAxis::data;
    EXPECT_EQ(name_of(graph::Collective{graph::CollectiveKind::all_gather, both, Bytes{1}, 1.0}),
              "all_gather_tp_dp");
}

}  // namespace
}  // namespace dse::trace::chakra
