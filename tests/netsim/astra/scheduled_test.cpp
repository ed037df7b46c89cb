#include "netsim/astra/scheduled.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "dse/netsim/astra/player.hpp"
#include "netsim/astra/small_systems.hpp"
#include "support/schedule_files.hpp"

namespace dse::netsim {
namespace {

using test::ScheduleBytes;
using test::TraceBytes;

/// When the members of a schedule end, on a system of as many devices.
std::vector<Ticks> play(const AstraSystem& system, const ScheduleBytes& members,
                        AstraNetwork network = AstraNetwork::unaware) {
    const test::TemporaryFolder folder;
    const AstraSchedule schedule{read_schedule(write_schedule(folder, "s", members))};
    const AstraPlan plan = plan_scheduled(system, schedule, CollectiveKind::all_reduce, 1, system.npus());
    return play_messages(system, network, plan, everybody(system));
}
using Ends = std::vector<Ticks>;

TEST(AstraScheduled, a_ring_takes_its_messages_and_its_sums) {
    const AstraSystem system = line_of(DimensionKind::fully_connected, 4, Algorithm::ring, 30.0);
    // Six messages of 100 bytes at 1 a tick, 30 ticks on their way, and three sums of 2 µs; no endpoint
    // delay.
    EXPECT_EQ(play(system, test::ring_bytes(4, 400, 2)), Ends(4, 6 * 130 + 3 * 2000));
    // Computation of no recorded time takes a tick.
    EXPECT_EQ(play(system, test::ring_bytes(4, 400, 0)), Ends(4, 6 * 130 + 3));
}

TEST(AstraScheduled, members_end_when_their_own_steps_have) {
    const AstraSystem system = line_of(DimensionKind::fully_connected, 3, Algorithm::ring);
    // Up: 100 and 1 for the sum (that of the second child runs beside it). Down: 100, which the root waits
    // for.
    EXPECT_EQ(play(system, test::tree_bytes(3, 100, 0)), (Ends{201, 201, 201}));
    // Who sends only is done before who receives has begun to add.
    EXPECT_EQ(
        play(system, {TraceBytes{}.send(0, 1, 50, 0), TraceBytes{}.receive(0, 0, 50, 0).compute(1, 3, {0}),
                      TraceBytes{}.compute(0, 1)}),
        (Ends{50, 3050, 1000}));
}

TEST(AstraScheduled, equal_messages_go_to_steps_in_the_order_in_which_these_began) {
    const AstraSystem system = line_of(DimensionKind::fully_connected, 2, Algorithm::ring);
    // Two equal messages, at 50 and at 100; both receives are ready, and 0 begins first, as in ASTRA-sim.
    TraceBytes sender;
    sender.send(0, 1, 50, 0).send(2, 1, 50, 0, {0});
    TraceBytes receiver;
    receiver.receive(0, 0, 50, 0).receive(1, 0, 50, 0).compute(2, 7, {0});
    EXPECT_EQ(play(system, {sender, receiver}), (Ends{100, 50 + 7000}));
    TraceBytes other;
    other.receive(0, 0, 50, 0).receive(1, 0, 50, 0).compute(2, 7, {1});
    EXPECT_EQ(play(system, {sender, other}), (Ends{100, 100 + 7000}));
}

TEST(AstraScheduled, shares_links_where_the_network_knows_congestion) {
    const AstraSystem system = line_of(DimensionKind::switched, 3, Algorithm::ring);
    const ScheduleBytes both{TraceBytes{}.send(0, 2, 100, 0), TraceBytes{}.send(0, 2, 100, 0),
                             TraceBytes{}.receive(0, 0, 100, 0).receive(1, 1, 100, 0)};
    // Up to the switch beside each other, down one after the other.
    EXPECT_EQ(play(system, both, AstraNetwork::aware)[2], 300);
    EXPECT_EQ(play(system, both)[2], 100);
}

TEST(AstraScheduled, has_one_chunk) {
    AstraSystem system = line_of(DimensionKind::fully_connected, 2, Algorithm::ring);
    system.splits = 2;
    EXPECT_THROW(play(system, test::ring_bytes(2, 100, 0)), ModelError);
}

}  // namespace
}  // namespace dse::netsim
