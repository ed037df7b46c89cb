#include "dse/netsim/astra/player.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "netsim/astra/small_systems.hpp"

// Also tests: astra/program.cpp, astra/exchange.cpp

namespace dse::netsim {
namespace {

std::vector<Ticks> play(const AstraSystem& system, AstraNetwork network, CollectiveKind kind,
                        std::int64_t bytes) {
    return play_messages(system, network, plan_all(system, kind, bytes), everybody(system));
}

TEST(AstraPlayer, a_tree_lets_members_go_at_different_times) {
    const AstraSystem system = line_of(DimensionKind::fully_connected, 4, Algorithm::double_binary_tree, 1.0);
    // Root 3 over 1 over 0 and 2; a message of 99 bytes takes 100. Sums go up: at 1 at 100, at 3 at 200. The
    // root passes the result down and is done; 1 has it at 300, passes it on and is done; 0 and 2 at 400.
    EXPECT_EQ(play(system, AstraNetwork::unaware, CollectiveKind::all_reduce, 99),
              (std::vector<Ticks>{400, 300, 400, 200}));
}

TEST(AstraPlayer, a_second_chunk_takes_the_other_tree_from_where_each_member_is) {
    AstraSystem system = line_of(DimensionKind::fully_connected, 2, Algorithm::double_binary_tree);
    system.splits = 2;
    // Chunk 0: 0 sends to the root 1, which is done at 10 when it passes the result down; 0 has it at 20.
    // Chunk 1: now 0 is the root. 1 sends at 10, it is there at 20, when 0 takes it up; 1 has the result
    // at 30.
    EXPECT_EQ(play(system, AstraNetwork::unaware, CollectiveKind::all_reduce, 20),
              (std::vector<Ticks>{20, 30}));
}

TEST(AstraPlayer, a_window_keeps_so_many_messages_in_flight) {
    AstraSystem system = line_of(DimensionKind::fully_connected, 5, Algorithm::direct);
    // Four messages of 10 ticks, two at a time.
    system.set_algorithms(std::array{parse_astra_algorithm("direct2")});
    EXPECT_EQ(play(system, AstraNetwork::unaware, CollectiveKind::all_gather, 10),
              (std::vector<Ticks>(5, 20)));
    system.set_algorithms(std::array{parse_astra_algorithm("direct1")});
    EXPECT_EQ(play(system, AstraNetwork::unaware, CollectiveKind::all_gather, 10),
              (std::vector<Ticks>(5, 40)));
}

TEST(AstraPlayer, an_aware_switch_takes_the_bytes_twice) {
    const AstraSystem system = line_of(DimensionKind::switched, 4, Algorithm::ring, 5.0);
    // Three steps of a ring; each message of 100 bytes into the switch, and out of it once it is there.
    EXPECT_EQ(play(system, AstraNetwork::aware, CollectiveKind::all_gather, 100),
              (std::vector<Ticks>(4, 3 * 210)));
    EXPECT_EQ(play(system, AstraNetwork::unaware, CollectiveKind::all_gather, 100),
              (std::vector<Ticks>(4, 3 * 110)));
}

TEST(AstraPlayer, aware_messages_queue_at_a_port_of_the_switch) {
    const AstraSystem system = line_of(DimensionKind::switched, 4, Algorithm::direct);
    // Every device sends three messages of 10 into the switch one after the other, to the next, the second
    // next, the third next: at 10, 20 and 30 each port out gets one, 10 later it is through.
    EXPECT_EQ(play(system, AstraNetwork::aware, CollectiveKind::all_gather, 10), (std::vector<Ticks>(4, 40)));
}

TEST(AstraPlayer, chunks_at_work_together_share_nothing_where_the_network_is_unaware) {
    AstraSystem system = line_of(DimensionKind::ring, 2, Algorithm::ring);
    system.splits = 2;
    system.active_chunks = 2;
    // Two chunks of 100: 50 out, 50 back, both at once; aware of each other they take turns on the link.
    EXPECT_EQ(play(system, AstraNetwork::unaware, CollectiveKind::all_reduce, 200),
              (std::vector<Ticks>{100, 100}));
    EXPECT_EQ(play(system, AstraNetwork::aware, CollectiveKind::all_reduce, 200),
              (std::vector<Ticks>{200, 200}));
}

/// What ASTRA-sim 518bd51 says: trees replace the scatter and the gather, and the second one is the mirror
/// image.
TEST(AstraPlayer, trees_stand_for_any_phase) {
    AstraSystem system;
    system.add(AstraDimension::of_file(DimensionKind::switched, 4, 50.0, 100.0));
    system.add(AstraDimension::of_file(DimensionKind::ring, 2, 50.0, 100.0));
    system.set_algorithms(std::array{AstraAlgorithm{Algorithm::double_binary_tree}, AstraAlgorithm{}});
    system.reduction_bandwidth = 100e9;
    const auto expect = [&](CollectiveKind kind, const std::array<Ticks, 4>& ends) {
        const std::vector<Ticks> played = play(system, AstraNetwork::unaware, kind, 80'000);
        for (std::size_t rank = 0; rank < 8; ++rank) EXPECT_EQ(played[rank], ends[rank % 4]) << rank;
    };
    expect(CollectiveKind::all_reduce, {23440, 29240, 27540, 29240});
    expect(CollectiveKind::all_gather, {28780, 25590, 28780, 17600});
    expect(CollectiveKind::reduce_scatter, {16075, 14375, 16075, 10275});
    expect(CollectiveKind::all_to_all, {14875, 13175, 14875, 9075});
}

/// So does ASTRA-sim 518bd51, without a message.
TEST(AstraPlayer, chunks_that_queue_in_different_orders_wait_for_each_other) {
    AstraSystem system;
    system.add(AstraDimension::of_file(DimensionKind::switched, 2, 100.0, 1000.0));
    system.add(AstraDimension::of_file(DimensionKind::switched, 2, 100.0, 0.0));
    system.add(AstraDimension::of_file(DimensionKind::fully_connected, 2, 10.0, 0.0));
    system.set_algorithms(std::array{AstraAlgorithm{Algorithm::direct}, AstraAlgorithm{}, AstraAlgorithm{}});
    system.reduction_bandwidth = 100e9;
    system.splits = 3;
    const AstraStart start{.members = {20'000, 5'000, 1'000, 1'000, 20'000, 5'000, 1'000, 20'000}};
    const AstraPlan plan = plan_all(system, CollectiveKind::all_reduce, 1 << 19);
    EXPECT_THROW(play_messages(system, AstraNetwork::unaware, plan, everybody(system), start), ModelError);
    system.splits = 1;
    const AstraPlan one = plan_all(system, CollectiveKind::all_reduce, 1 << 19);
    EXPECT_NO_THROW(play_messages(system, AstraNetwork::unaware, one, everybody(system), start));
}

}  // namespace
}  // namespace dse::netsim
