#include "dse/synth/operator_lists.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::synth {
namespace {

TEST(OperatorLists, AGraphALineInAnyOrderOfNodes) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("a.jsonl",
                                          "{\"nodes\": [7, 18, 7], \"edges\": [[1, 0], [0, 2]]}\n\n"
                                          "{\"nodes\": [29], \"edges\": [], \"y\": 2.5}\n");
    Corpus corpus;
    read_operator_lists(file, corpus);
    ASSERT_EQ(corpus.graphs.size(), 2U);
    EXPECT_EQ(corpus.graphs[0].layers(), 3U);
    EXPECT_EQ(corpus.labels[corpus.graphs[0].nodes[0].label].operation, "18");
    EXPECT_EQ(corpus.graphs[1].nodes.size(), 1U);
    EXPECT_TRUE(is_operator_list("x.jsonl.gz"));
    EXPECT_FALSE(is_operator_list("x.et"));
}

TEST(OperatorLists, WhatIsNoGraphIsRefusedWithItsLine) {
    const dse::test::TemporaryFolder folder;
    const auto refusal = [&](const std::string& line) {
        const std::string file = folder.write("a.jsonl", "{\"nodes\": [1], \"edges\": []}\n" + line + "\n");
        return dse::test::error_message([&] {
            Corpus corpus;
            read_operator_lists(file, corpus);
        });
    };
    EXPECT_NE(
        refusal("{\"nodes\": [1, 2], \"edges\": [[0, 1], [1, 0]]}").find("a.jsonl:2: its edges make a cycle"),
        std::string::npos);
    EXPECT_NE(refusal("{\"nodes\": [1, 2], \"edges\": [[0, 2]]}").find("goes from 0 to 2, of 2 nodes"),
              std::string::npos);
    EXPECT_NE(refusal("{\"edges\": []}").find("a.jsonl:2: no graph of operators"), std::string::npos);
    EXPECT_NE(refusal("{\"nodes\": [], \"edges\": []}").find("it has no nodes"), std::string::npos);
}

}  // namespace
}  // namespace dse::synth
