#include "dse/model/network/bus_factor.hpp"

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using graph::CollectiveKind;

/// Of 8 ranks' shares each one sends 7: once, or twice to add them up and hand them out.
TEST(BusFactor, is_what_a_rank_must_send) {
    EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_gather, 8), 0.875);
    EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::reduce_scatter, 8), 0.875);
    EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_to_all, 8), 0.875);
    EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_reduce, 8), 1.75);
    EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::broadcast, 8), 1.0);
    EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::ring_shift, 8), 1.0);
}

}  // namespace
}  // namespace dse::model
