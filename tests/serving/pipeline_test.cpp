// Also tests: lanes.cpp
#include "serving/pipeline.hpp"

#include <gtest/gtest.h>

#include "serving/lanes.hpp"

namespace dse::serving {
namespace {

/// Two stages. The second batch enters the first stage when the first one leaves it; the third, of parts 2
/// and 3, finds its second stage free when it comes.
TEST(Pipeline, StagesWorkOnOneBatchAtATime) {
    Pipeline pipeline{2};
    EXPECT_EQ(pipeline.pass(0, 4), 4);
    EXPECT_EQ(pipeline.pass(0, 4), 6);
    EXPECT_EQ(pipeline.pass(5, 5), 5);
    EXPECT_EQ(pipeline.pass(100, 9), 9);
}

/// A long batch delays the one behind it by its part in each stage, not by all of it.
TEST(Pipeline, ALongBatchDelaysByAStage) {
    Pipeline pipeline{4};
    EXPECT_EQ(pipeline.pass(0, 400), 400);
    EXPECT_EQ(pipeline.pass(0, 40), 410) << "it leaves each stage 10 after the long one";
}

TEST(Lanes, ShareTheLimits) {
    ReplicaLimits limits;
    limits.pages = 10;
    limits.engine.max_sequences = 3;
    EXPECT_EQ(lane_limits(limits, 4).pages, 2);
    EXPECT_EQ(lane_limits(limits, 4).engine.max_sequences, 1);
    EXPECT_EQ(lane_limits(limits, 1).pages, 10);
}

}  // namespace
}  // namespace dse::serving
