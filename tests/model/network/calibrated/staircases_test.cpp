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
            const Staircase* way = staircase(kind, generation);
            ASSERT_NE(way, nullptr);
            EXPECT_LT(way->short_latency, way->long_latency);
            EXPECT_LT(way->short_share, way->long_share);
            EXPECT_LE(way->long_share, 1.0);
        }
    }
}

TEST(Staircases, none_where_nobody_measured) {
    EXPECT_EQ(staircase(CollectiveKind::broadcast, GpuGeneration::hopper), nullptr);
    EXPECT_EQ(staircase(CollectiveKind::all_reduce, GpuGeneration::volta), nullptr);
}

}  // namespace
}  // namespace dse::model
