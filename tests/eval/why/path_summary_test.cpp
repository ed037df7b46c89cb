// Also tests: why/played_point.cpp
#include "dse/eval/why/path_summary.hpp"

#include <gtest/gtest.h>

#include "eval/why/explained.hpp"
#include "support/soft_equal.hpp"

namespace dse::eval {
namespace {

/// Whatever the point, and of one step of many: nothing of the time is left out.
TEST(PathSummary, OperatorsSumToTheIterationTime) {
    for (const std::string& yaml : test::explained_sweeps()) {
        const test::Explained point{yaml};
        double sum = 0;
        for (const PathRow& row : summarize_path(point.played(), point.explanation())) sum += row.seconds;
        EXPECT_NEAR(sum, point.time(), 1e-12 * point.time()) << yaml;
    }
}

/// Without pipeline, overlap and sharded states the path is the compute stream: every matrix product forward,
/// of all 32 layers and 8 microbatches (16 sequences on 2 replicas), stands on it.
TEST(PathSummary, CountsOperatorsOverLayersAndMicrobatches) {
    const test::Explained point{
        test::SweepFiles::llama("axes: {tp: [8], pp: [1]}\n", "exposed_tp: 1.0, zero: 0")};
    double down = 0;
    for (const PathRow& row : summarize_path(point.played(), point.explanation())) {
        if (row.name == "z2" && row.where == "decoder_layer forward") {
            EXPECT_EQ(row.what, "gemm");
            down = row.count;
        }
    }
    EXPECT_EQ(down, 32 * 8);
    EXPECT_EQ(stage_changes(point.played()), 0);
}

TEST(PathSummary, LongestFirst) {
    const test::Explained point{test::explained_sweeps().front()};
    const auto rows = summarize_path(point.played(), point.explanation());
    for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LE(rows[i].seconds, rows[i - 1].seconds);
    EXPECT_GT(stage_changes(point.played()), 0);
}

/// A step of decoding is what a steady loop takes for one: its window holds some, and no warm-up.
TEST(PlayedPoint, LooksAtSteadyStepsOfDecoding) {
    const test::Explained point{test::explained_sweeps()[5]};
    const PlayedPoint& played = point.played();
    EXPECT_EQ(played.steps(), graph::decode_steps);
    EXPECT_GT(played.window().from, 0.0);
    EXPECT_NEAR((played.window().until - played.window().from) * played.scale(), point.time(),
                1e-12 * point.time());
}

}  // namespace
}  // namespace dse::eval
