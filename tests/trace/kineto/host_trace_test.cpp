#include "dse/trace/kineto/host_trace.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::trace::kineto {
namespace {

HostTrace read(const std::string& nodes) {
    const dse::test::TemporaryFolder folder;
    return read_host_trace(folder.write("h.json", R"({"schema": "1.0.1", "nodes": [)" + nodes + "]}"));
}

TEST(HostTrace, ReadsArgumentsOfTheFirstSchemas) {
    const HostTrace trace = read(R"(
        {"name": "record_param_comms", "id": 9, "inputs": [[4, 5, 0, 6144, 4, "cuda:0"], 147, 945, 0, "all_to_allv", [768], [768]],
         "outputs": [[7, 8, 0, 10, 4, "cuda:0"]]},
        {"name": "record_param_comms", "id": 3, "inputs": [[[1, 2, 0, 24, 8, "cuda:0"]], 31, ["0", "default_pg"], 0, "allreduce"]},
        {"name": "record_param_comms", "id": 5, "inputs": [141, 0, 0, "wait", [], []]},
        {"name": "aten::mm", "id": 6, "inputs": [[4, 5, 0, 6144, 4, "cuda:0"]]})");
    EXPECT_EQ(trace.schema, "1.0.1");
    ASSERT_EQ(trace.collectives.size(), 2U);  // by id
    EXPECT_EQ(trace.collectives[0].kind, "allreduce");
    EXPECT_EQ(trace.collectives[0].group, "0");
    EXPECT_EQ(trace.collectives[0].input_bytes, 192);
    EXPECT_EQ(trace.collectives[0].output_bytes, std::nullopt);
    EXPECT_EQ(trace.collectives[1].kind, "all_to_allv");
    EXPECT_EQ(trace.collectives[1].group, "");
    EXPECT_EQ(trace.collectives[1].input_bytes, 24576);
    EXPECT_EQ(trace.collectives[1].output_bytes, 40);
}

TEST(HostTrace, ReadsAttributesAndGroupsOfLaterOnes) {
    const HostTrace trace = read(R"(
        {"name": "record_param_comms", "id": 1, "inputs": {"values": [33, "broadcast"]}, "attrs": [
          {"name": "collective_name", "value": "allgather"}, {"name": "dtype", "value": "BFloat16"},
          {"name": "in_msg_nelems", "value": 8}, {"name": "out_msg_nelems", "value": 16}, {"name": "pg_name", "value": "3"}]},
        {"name": "## process_group:init ##", "id": 2, "inputs": {"values": ["[{\"pg_name\": \"3\", \"ranks\": [0, 1]}]"]}})");
    ASSERT_EQ(trace.collectives.size(), 1U);
    EXPECT_EQ(trace.collectives[0].kind, "allgather");
    EXPECT_EQ(trace.collectives[0].input_bytes, 16);
    EXPECT_EQ(trace.collectives[0].output_bytes, 32);
    EXPECT_EQ(trace.collectives[0].group, "3");
    EXPECT_EQ(trace.groups, (std::vector<chakra::ProcessGroup>{{"3", "", {0, 1}}}));
}

TEST(HostTrace, GivesAProfileWhatItLacks) {
    ReplayGraph graph;
    graph.nodes.resize(3);
    graph.nodes[0].collective = CollectiveWork{};
    graph.nodes[2].collective = CollectiveWork{chakra::CommType::all_reduce, 7, "x"};
    HostTrace trace;
    trace.collectives = {{"all_to_all", "3", {}, 64, 64}, {"allreduce", "4", {}, 8, 8}};
    EXPECT_EQ(complete(graph, trace), "");
    EXPECT_EQ(graph.nodes[0].collective->kind, chakra::CommType::all_to_all);
    EXPECT_EQ(graph.nodes[0].collective->bytes, 64);
    EXPECT_EQ(graph.nodes[0].collective->group, "3");
    EXPECT_EQ(graph.nodes[2].collective->bytes, 7);
    EXPECT_EQ(graph.nodes[2].collective->group, "x");
    std::swap(trace.collectives[0], trace.collectives[1]);
    EXPECT_EQ(complete(graph, trace),
              "collective 1 is 'all_to_all' in the profile and 'allreduce' in the host's trace");
    trace.collectives.pop_back();
    EXPECT_EQ(complete(graph, trace), "the profile has 2 collectives, the host's trace 1");
}

TEST(HostTrace, RefusesWhatIsNone) {
    const dse::test::TemporaryFolder folder;
    for (const char* text : {"", "[]", "{}", R"({"nodes": 1})", "{\"nodes\": ["})
        EXPECT_THROW(read_host_trace(folder.write("h.json", text)), InputError) << text;
    EXPECT_TRUE(read(R"(1, {}, {"name": 3}, {"name": "record_param_comms", "inputs": 7, "attrs": 8})")
                    .collectives.empty());
}

}  // namespace
}  // namespace dse::trace::kineto
