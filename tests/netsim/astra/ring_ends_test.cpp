#include "dse/netsim/astra/ring_ends.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "dse/netsim/astra/player.hpp"
#include "netsim/astra/small_systems.hpp"

namespace dse::netsim {
namespace {

TEST(RingEnds, follow_the_latest_member_around_the_ring) {
    const AstraSystem system = line_of(DimensionKind::fully_connected, 3, Algorithm::ring);
    const AstraPlan plan = plan_all(system, CollectiveKind::all_gather, 10);
    const std::array<Ticks, 3> links{10, 10, 10};
    const std::array<Ticks, 3> starts{0, 100, 0};
    // Rank 1 sends at 100. Rank 2 has it at 110 and passes it on: rank 0 has it at 120 and is done, as rank 2
    // is at 110 with the two that it needed. Rank 1 has had rank 0's and, by 10, rank 2's through rank 0 as
    // soon as it begins: the first at 100, the second, which rank 0 sent at 10, at 100 as well.
    EXPECT_EQ(ring_ends(system, plan, links, starts), (std::vector<Ticks>{120, 100, 110}));
}

TEST(RingEnds, one_stands_for_all_where_they_are_alike) {
    AstraSystem system = line_of(DimensionKind::fully_connected, 4, Algorithm::ring);
    system.endpoint_delay = 3;
    system.reduction_bandwidth = 1e9;  // a byte a tick: 3 ticks a byte
    const AstraPlan plan = plan_all(system, CollectiveKind::reduce_scatter, 40);
    const Ticks link = 10;
    const Ticks now = 0;
    // 3 + 3 x (10 + 3 + 3 x 10)
    EXPECT_EQ(ring_ends(system, plan, {&link, 1}, {&now, 1}), (std::vector<Ticks>{132}));
}

/// Any kind, any number of chunks, members that begin whenever they like, in any order over any dimensions.
TEST(RingEnds, are_those_of_every_message) {
    std::mt19937_64 random{20261120};
    for (int round = 0; round < 300; ++round) {
        const AstraSystem system = random_system(random, 3);
        std::vector<std::int64_t> members = everybody(system);
        std::ranges::shuffle(members, random);
        members.resize(2 + random() % (members.size() - 1));
        if (std::ssize(members) == system.npus()) members.pop_back();
        if (members.size() < 2) continue;
        const CollectiveKind kind = astra_kinds[random() % astra_kinds.size()];
        // A single dimension keeps its own algorithm.
        const bool own = system.dimension_count == 1;
        if (own && system.algorithms_of(kind).all[0].algorithm != Algorithm::ring) continue;
        const AstraPlan plan = plan_group(system, kind, 1000 + static_cast<std::int64_t>(random() % 100000),
                                          std::ssize(members));
        AstraStart start;
        std::vector<Ticks> links;
        for (std::size_t i = 0; i < members.size(); ++i) {
            start.members.push_back(static_cast<Ticks>(random() % 5000));
            links.push_back(system.delay(members[i], members[(i + 1) % members.size()],
                                         message_bytes(plan.all_phases[0])));
        }
        EXPECT_EQ(ring_ends(system, plan, links, start.members),
                  play_messages(system, AstraNetwork::unaware, plan, members, start))
            << "round " << round;
    }
}

}  // namespace
}  // namespace dse::netsim
