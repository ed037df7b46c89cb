#include "dse/trace/chakra/obfuscate.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_reader.hpp"
#include "support/temporary_folder.hpp"
#include "trace/chakra/written_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::WrittenTrace;

const Obfuscation salt_a{"a", 1, true};

/// A secret kernel, and an all-reduce that waits for it.
WrittenTrace secret_trace() {
    WrittenTrace trace;
    wire::Node& kernel = trace.add(7, "project_x/secret_layer", wire::COMP_NODE);
    attribute(kernel, "op_type").set_string_val("secret_gemm");
    attribute(kernel, "num_ops").set_int64_val(1'000'000);
    attribute(kernel, "tensor_size").set_uint64_val(3000);
    attribute(kernel, "author").set_string_val("somebody");
    attribute(kernel, "is_cpu_op").set_bool_val(false);
    kernel.set_start_time_micros(5'000'000);
    kernel.set_duration_micros(100);
    kernel.mutable_inputs()->set_values("[weights_of_project_x]");
    wire::Node& reduce = trace.add(8, "all-reduce of project_x", wire::COMM_COLL_NODE, {7});
    attribute(reduce, "comm_type").set_int64_val(0);
    attribute(reduce, "comm_size").set_int64_val(700);
    attribute(reduce, "pg_name").set_string_val("project_x_tp");
    attribute(reduce, "op_type").set_string_val("gemm");
    reduce.set_start_time_micros(5'000'130);
    return trace;
}

TEST(Obfuscate, WhatASimulationDoesNotNeedIsGone) {
    const dse::test::TemporaryFolder folder;
    const std::string from = secret_trace().write(folder, "a.0.et");
    const Obfuscated done = obfuscate_trace(from, folder.path("b.0.et"), salt_a);
    EXPECT_EQ(done.nodes, 2U);
    EXPECT_EQ(done.attributes_dropped, 1U);
    EXPECT_EQ(done.operators_renamed, 1U);
    std::ostringstream text;
    text << std::ifstream{folder.path("b.0.et"), std::ios::binary}.rdbuf();
    for (const char* secret : {"secret", "project_x", "author", "somebody"})
        EXPECT_EQ(text.str().find(secret), std::string::npos) << secret;
    TraceReader reader{folder.path("b.0.et")};
    TraceNode node;
    ASSERT_TRUE(reader.next(node));
    EXPECT_EQ(node.id, 7U);
    EXPECT_EQ(node.name, "node.7");
    EXPECT_EQ(node.text("op_type"), "other");
    // 10^6 is 2^19.93, 3,000 is 2^11.55, 100 is 2^6.64.
    EXPECT_EQ(node.number("num_ops"), 1 << 20);
    EXPECT_EQ(node.number("tensor_size"), 1 << 12);
    EXPECT_EQ(node.duration_micros, 128U);
    ASSERT_TRUE(reader.next(node));
    EXPECT_EQ(node.data_dependencies, (std::vector<std::uint64_t>{7}));
    EXPECT_EQ(node.number("comm_type"), 0);
    EXPECT_EQ(node.number("comm_size"), 512);
    EXPECT_EQ(node.text("pg_name"), renamed_group("project_x_tp", salt_a));
    EXPECT_EQ(node.text("op_type"), "gemm");
    EXPECT_FALSE(reader.next(node));
    EXPECT_EQ(done.operations_before, 1e6);
    EXPECT_EQ(done.operations_after, 1048576.0);
    EXPECT_EQ(done.bytes_before, 3700.0);
    EXPECT_EQ(done.bytes_after, 4608.0);
}

TEST(Obfuscate, NamesFollowTheSaltAndNumbersStayNumbers) {
    const Obfuscation salt_b{"b", 1, true};
    EXPECT_EQ(renamed_group("tp", salt_a), renamed_group("tp", salt_a));
    EXPECT_NE(renamed_group("tp", salt_a), renamed_group("tp", salt_b));
    EXPECT_NE(renamed_group("tp", salt_a), renamed_group("dp", salt_a));
    EXPECT_EQ(renamed_group("tp", salt_a).find_first_not_of("0123456789"), std::string::npos);
    EXPECT_EQ(renamed_group("", salt_a), "");
    EXPECT_EQ(renamed_group("0", salt_a), "0");
}

TEST(Obfuscate, SizesBecomeStepsOfAnOctave) {
    EXPECT_EQ(quantised(0, 1), 0U);
    EXPECT_EQ(quantised(1, 1), 1U);
    EXPECT_EQ(quantised(1000, 1), 1024U);
    EXPECT_EQ(quantised(1400, 1), 1024U);
    EXPECT_EQ(quantised(1500, 1), 2048U);
    EXPECT_EQ(quantised(1500, 2), 1448U);  // 1024 √2
}

TEST(Obfuscate, DurationsCanBeDropped) {
    const dse::test::TemporaryFolder folder;
    const std::string from = secret_trace().write(folder, "a.0.et");
    obfuscate_trace(from, folder.path("b.0.et"), {"a", 1, false});
    TraceReader reader{folder.path("b.0.et")};
    TraceNode node;
    ASSERT_TRUE(reader.next(node));
    EXPECT_EQ(node.duration_micros, 0U);
}

TEST(Obfuscate, GroupsAreRenamedAsInTheTraces) {
    const dse::test::TemporaryFolder folder;
    const std::string from = folder.write("a.json", R"({"project_x_tp": [0, 1], "2": [2, 3]})");
    obfuscate_groups(from, folder.path("b.json"), salt_a);
    std::ostringstream text;
    text << std::ifstream{folder.path("b.json")}.rdbuf();
    EXPECT_EQ(text.str().find("project_x"), std::string::npos);
    EXPECT_NE(text.str().find("\"" + renamed_group("project_x_tp", salt_a) + "\":[0,1]"), std::string::npos);
    EXPECT_THROW(obfuscate_groups(folder.write("c.json", "no"), folder.path("d.json"), salt_a), InputError);
    EXPECT_THROW(obfuscate_groups(from, folder.path("b.json"), salt_a, Existing::refuse), InputError);
}

}  // namespace
}  // namespace dse::trace::chakra
