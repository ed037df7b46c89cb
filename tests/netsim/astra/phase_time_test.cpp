#include "netsim/astra/phase_time.hpp"

#include <gtest/gtest.h>

#include "netsim/astra/small_systems.hpp"

namespace dse::netsim {
namespace {

Ticks ticks_of(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes) {
    return lockstep_ticks(system, plan_all(system, kind, bytes).all_phases[0]).value();
}

TEST(LockstepTicks, of_a_ring_add_up_step_by_step) {
    AstraSystem system = line_of(DimensionKind::ring, 8, Algorithm::ring, 500.0);
    system.all_dimensions[0].bytes_per_tick = 50.0 * 1.073741824;
    system.endpoint_delay = 10;
    system.reduction_bandwidth = 1600e9;
    // 16 KiB: messages of 2 KiB take 538 ticks, adding one 3. 10 at the start, 7 steps out with 538 + 10 + 3,
    // 7 back with 538 + 10.
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_reduce, 16384), 10 + 7 * 551 + 7 * 548);
    EXPECT_EQ(ticks_of(system, CollectiveKind::reduce_scatter, 16384), 10 + 7 * 551);
    // A shard of 2 KiB each.
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_gather, 2048), 10 + 7 * 548);
    // 8 · 7 / 2 messages, one after the other.
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_to_all, 16384), 10 + 28 * 548);
}

TEST(LockstepTicks, direct_messages_are_all_in_flight_at_once) {
    AstraSystem system = line_of(DimensionKind::switched, 8, Algorithm::direct, 50.0);
    system.endpoint_delay = 5;
    // A message of 100 bytes through the switch: 2 · 50 + 100 ticks.
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_gather, 100), 5 + 200 + 5);
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_reduce, 800), 5 + 200 + 5 + 200 + 5);
    // On a ring the farthest is 4 links away.
    system.all_dimensions[0].kind = DimensionKind::ring;
    EXPECT_EQ(ticks_of(system, CollectiveKind::reduce_scatter, 800), 5 + 300 + 5);
}

TEST(LockstepTicks, a_direct_all_reduce_on_a_ring_answers_while_it_still_adds) {
    AstraSystem system = line_of(DimensionKind::ring, 4, Algorithm::direct, 100.0);
    system.reduction_bandwidth = 1e9;  // a byte a tick, three times
    // Messages of 10 bytes. Contributions arrive at 110 (two) and 210, and have been added at 140 and 240. At
    // 140 not all are there; at 240 all three results leave, the last to arrive over two links at 450.
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_reduce, 40), 450);
    // Adding takes longer than the third contribution's way: those of the neighbours go out at 110 + 120, the
    // third result at 210 + 120, over one link the other way round.
    system.reduction_bandwidth = 0.25e9;
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_reduce, 40), 440);
}

/// What ASTRA-sim 518bd51 says: the first results are back before the last contributions have been added.
TEST(LockstepTicks, results_of_a_direct_all_reduce_on_a_ring_make_room_for_others) {
    AstraSystem system = line_of(DimensionKind::ring, 16, Algorithm::direct);
    system.all_dimensions[0] = AstraDimension::of_file(DimensionKind::ring, 16, 388.0, 663.0);
    system.endpoint_delay = 10;
    system.reduction_bandwidth = 50e9;
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_reduce, 3'236'034), 20'923);
}

TEST(LockstepTicks, halving_and_doubling_charges_no_sum_of_the_first_message) {
    AstraSystem system = line_of(DimensionKind::switched, 4, Algorithm::halving_doubling);
    system.reduction_bandwidth = 1e9;
    // 400 bytes: out 200 and 100, the second is added (300 ticks), back 100 and 200.
    EXPECT_EQ(ticks_of(system, CollectiveKind::all_reduce, 400), 200 + 100 + 300 + 100 + 200);
}

TEST(LockstepTicks, leave_to_the_player_what_is_not_in_step) {
    const auto in_step = [](const AstraSystem& system) {
        return lockstep_ticks(system, plan_all(system, CollectiveKind::all_reduce, 800).all_phases[0])
            .has_value();
    };
    EXPECT_FALSE(in_step(line_of(DimensionKind::switched, 8, Algorithm::double_binary_tree)));
    AstraSystem windowed = line_of(DimensionKind::switched, 8, Algorithm::direct);
    windowed.set_algorithms(std::array{parse_astra_algorithm("direct3")});
    EXPECT_FALSE(in_step(windowed));
    windowed.set_algorithms(std::array{parse_astra_algorithm("direct7")});
    EXPECT_TRUE(in_step(windowed));
}

}  // namespace
}  // namespace dse::netsim
