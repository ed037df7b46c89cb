#include "model/network/calibrated/staircases.hpp"

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::GpuGeneration;

TEST(Staircases, short_messages_wait_less_and_long_ones_move_faster) {
    for (const GpuGeneration generation :
         {GpuGeneration::ampere, GpuGeneration::hopper, GpuGeneration::blackwell}) {
        for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                          CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
            const auto way = staircase(kind, generation);
            ASSERT_TRUE(way.has_value());
            EXPECT_LT(way->short_latency, way->long_latency);
            EXPECT_LT(way->short_share, way->long_share);
            EXPECT_LE(way->long_share, 1.0);
        }
    }
}

/// A latency and a step make the short all-gather between two devices itself, but for 4 KiB on the links.
TEST(Staircases, latencies_follow_a_short_all_gather) {
    const auto once = staircase(CollectiveKind::all_gather, Seconds{5e-6});
    const auto twice = staircase(CollectiveKind::all_gather, Seconds{10e-6});
    ASSERT_TRUE(once && twice);
    EXPECT_NEAR((once->short_latency + once->short_step).value(), 5e-6, 0.5e-6);
    EXPECT_DOUBLE_EQ(twice->short_latency / once->short_latency, 2.0);
    EXPECT_DOUBLE_EQ(twice->long_step / once->long_step, 2.0);
    EXPECT_EQ(twice->long_share, once->long_share);
}

TEST(Staircases, none_where_nobody_measured) {
    EXPECT_FALSE(staircase(CollectiveKind::broadcast, GpuGeneration::hopper).has_value());
    EXPECT_FALSE(staircase(CollectiveKind::broadcast, Seconds{5e-6}).has_value());
    EXPECT_FALSE(staircase(CollectiveKind::all_reduce, GpuGeneration::volta).has_value());
}

}  // namespace
}  // namespace dse::model
