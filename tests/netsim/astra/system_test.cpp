#include "dse/netsim/astra/system.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "netsim/astra/small_systems.hpp"

namespace dse::netsim {
namespace {

TEST(AstraSystem, a_gigabyte_has_two_to_the_thirty_bytes) {
    const AstraDimension dimension = AstraDimension::of_file(DimensionKind::ring, 8, 50.0, 500.0);
    // 50 · 1.073741824 bytes a nanosecond: a MiB takes 19,531.25 ns. The latency comes before the cut.
    EXPECT_EQ(AstraSystem::delay(dimension, 1, 1 << 20), 20031);
    EXPECT_EQ(AstraSystem::delay(dimension, 3, 1 << 20), 21031);
}

TEST(AstraSystem, a_reduction_passes_memory_three_times_each_cut_to_a_tick) {
    AstraSystem system;
    EXPECT_EQ(system.reduction(1 << 20), 0);
    system.reduction_bandwidth = 1600e9;
    // 2,048 bytes at 1,600 bytes a tick: 1.28, three times 1.
    EXPECT_EQ(system.reduction(2048), 3);
}

/// 2^60 is the largest power of two whose triple, three passes of a reduction, is one of 64 bits.
TEST(AstraSystem, a_message_of_years_is_refused) {
    const AstraDimension slow = AstraDimension::of_file(DimensionKind::ring, 8, 1e-300, 500.0);
    EXPECT_THROW(static_cast<void>(AstraSystem::delay(slow, 1, 1)), ModelError);
    EXPECT_EQ(whole_ticks(0x1p60), 1LL << 60);
    EXPECT_THROW(whole_ticks(0x1.1p60), ModelError);
    EXPECT_THROW(whole_ticks(std::numeric_limits<double>::quiet_NaN()), ModelError);
}

TEST(AstraSystem, a_message_pays_the_innermost_dimension_in_which_its_ends_differ) {
    AstraSystem system;
    system.add({DimensionKind::ring, 8, 1.0, 10.0});
    system.add({DimensionKind::switched, 4, 1.0, 100.0});
    EXPECT_EQ(system.npus(), 32);
    EXPECT_EQ(system.delay(0, 3, 1), 31);
    EXPECT_EQ(system.delay(0, 6, 1), 21);   // the other way round
    EXPECT_EQ(system.delay(1, 9, 1), 201);  // through the switch
    EXPECT_EQ(system.delay(1, 10, 1), 11);  // both differ: the ring alone is charged
}

TEST(AstraSystem, algorithms_have_the_names_of_its_files) {
    EXPECT_EQ(parse_astra_algorithm("ring").algorithm, Algorithm::ring);
    EXPECT_EQ(parse_astra_algorithm("halvingDoubling").algorithm, Algorithm::halving_doubling);
    EXPECT_EQ(parse_astra_algorithm("doubleBinaryTree").algorithm, Algorithm::double_binary_tree);
    EXPECT_FALSE(parse_astra_algorithm("direct").over_all);
    EXPECT_TRUE(parse_astra_algorithm("oneRing").over_all);
    const AstraAlgorithm windowed = parse_astra_algorithm("oneDirect12");
    EXPECT_EQ(windowed.algorithm, Algorithm::direct);
    EXPECT_EQ(windowed.window, 12);
    EXPECT_TRUE(windowed.over_all);
    for (const char* wrong : {"Ring", "ring4", "direct0", "direct-1", "", "7"}) {
        EXPECT_THROW(parse_astra_algorithm(wrong), InputError) << wrong;
    }
}

TEST(AstraSystem, plays_neither_a_mesh_nor_a_broadcast) {
    AstraSystem system;
    EXPECT_THROW(system.add({DimensionKind::mesh, 4, 1.0, 0.0}), ModelError);
    EXPECT_THROW(static_cast<void>(system.algorithms_of(CollectiveKind::broadcast)), ModelError);
    EXPECT_THROW(static_cast<void>(system.algorithms_of(CollectiveKind::ring_shift)), ModelError);
}

}  // namespace
}  // namespace dse::netsim
