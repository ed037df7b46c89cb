#include "trace/chakra/json_records.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/trace/chakra/read_trace.hpp"
#include "dse/trace/chakra/trace_reader.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::trace::chakra {
namespace {

constexpr const char* three_nodes = R"({
  "workload_graph": [
    {"Id": 3, "Name": "gemm", "NodeType": 4, "ctrlDeps": [99], "data_deps": [], "runtime": 318, "is_cpu_op": false},
    {"Id": 5, "Name": "sum", "NodeType": 7, "data_deps": [3], "runtime": 28, "is_cpu_op": false, "comm_type": 0,
     "comm_size": 4096},
    {"Id": 6, "Name": "to 1", "NodeType": 5, "data_deps": [5], "comm_src": 0, "comm_dst": 1, "comm_tag": 7,
     "comm_size": 64}
  ],
  "workload_name": "small", "ngpus": 1
})";

TEST(JsonRecords, AreThoseOfATrace) {
    const dse::test::TemporaryFolder folder;
    const std::string path = folder.write("small.0.json", three_nodes);
    const RankTrace trace = read_trace(path);
    EXPECT_EQ(trace.trace->size(), 3U);
    std::vector<TraceNode> nodes;
    TraceReader reader{path};
    TraceNode node;
    while (reader.next(node)) nodes.push_back(node);
    ASSERT_EQ(nodes.size(), 3U);
    EXPECT_EQ(nodes[0].name, "gemm");
}

TEST(JsonRecords, SayWhatIsWrong) {
    const auto reason = [](const std::string& text) {
        return dse::test::error_message([&] { (void)records_of_json(text); });
    };
    EXPECT_EQ(reason(R"({"workload_graph": [{"Name": "a"}]})"), "node 1 of its workload_graph has no 'Id'");
    EXPECT_EQ(reason(R"({"workload_graph": [{"Id": 1}, {"Id": 2, "data_deps": ["1"]}]})"),
              "node 2 of its workload_graph: 'data_deps' is not a list of ids");
    EXPECT_EQ(reason(R"({"workload_graph": [{"Id": 1, "NodeType": 99}]})"),
              "node 1 of its workload_graph: 'NodeType' is not a type of Chakra's");
    EXPECT_EQ(reason(R"({"workload_graph": [{"Id": 1, "runtime": -4}]})"),
              "node 1 of its workload_graph: 'runtime' is not a whole number");
    EXPECT_EQ(reason(R"({"traceEvents": []})"),
              "it has no list 'workload_graph': it is a profile of PyTorch, which `dse et kineto` reads");
    EXPECT_EQ(reason(R"({"schema": "1.0.2-chakra.0.0.4", "nodes": []})"),
              "it has no list 'workload_graph': it is an execution trace of a host, which `dse et kineto` "
              "reads beside a profile");
    EXPECT_EQ(reason(R"({"workload_graph": [)"), "it is not valid JSON (is it cut off?)");
}

TEST(JsonRecords, FilesAreRefusedByName) {
    const dse::test::TemporaryFolder folder;
    const std::string path = folder.write("p.json", R"({"traceEvents": []})");
    EXPECT_EQ(dse::test::error_message([&] {
                  (void)read_trace(path);
              }).find("'" + path + "' is not a Chakra trace: it has"),
              0U);
}

// A first record of 123 bytes begins with the same byte, and a field's tag behind it.
TEST(JsonRecords, RecordsAreNoJson) {
    EXPECT_TRUE(begins_json("{\n  \"workload_graph\""));
    EXPECT_TRUE(begins_json("{}"));
    EXPECT_FALSE(
        begins_json("{\x0A\x05"
                    "1.0.0"));
    EXPECT_FALSE(begins_json("{"));
    EXPECT_FALSE(begins_json("[]"));
}

}  // namespace
}  // namespace dse::trace::chakra
