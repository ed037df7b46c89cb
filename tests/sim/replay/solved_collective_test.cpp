#include "sim/replay/solved_collective.hpp"

#include <gmock/gmock.h>

#include "netsim/astra/small_systems.hpp"

namespace dse::sim::replay {
namespace {

using graph::CollectiveKind;
using netsim::AstraNetwork;
using netsim::AstraStart;
using testing::ElementsAre;

TEST(SolvedCollective, brings_together_who_differs_in_the_dimensions_of_the_plan) {
    netsim::AstraSystem system;
    for (const std::int64_t npus : {2, 3, 4}) {
        system.add({hardware::DimensionKind::fully_connected, npus, 1.0, 0.0});
    }
    const std::array<netsim::AstraAlgorithm, 3> rings{};
    system.set_algorithms(rings);
    const auto plan = [&](netsim::AstraInvolved involved) {
        return plan_all(system, CollectiveKind::all_reduce, 2400, involved);
    };
    EXPECT_THAT(block_of(plan(0b010), 9), ElementsAre(7, 9, 11)) << "9 is (1, 1, 1): 1 + 2 x 1 + 6 x 1";
    EXPECT_THAT(block_of(plan(0b001), 9), ElementsAre(8, 9));
    EXPECT_THAT(block_of(plan(0b011), 9), ElementsAre(6, 7, 8, 9, 10, 11));
    EXPECT_EQ(block_of(plan(0b111), 9).size(), 24U);
}

/// Whatever the dimensions and whenever members begin.
TEST(SolvedCollective, ends_as_every_message_says) {
    std::mt19937_64 random{11};
    for (int round = 0; round < 60; ++round) {
        const netsim::AstraSystem system = netsim::random_system(random, 2);
        const CollectiveKind kind = netsim::astra_kinds[random() % netsim::astra_kinds.size()];
        const netsim::AstraPlan plan =
            plan_all(system, kind, 1000 + static_cast<std::int64_t>(random() % 100000));
        const std::vector<std::int64_t> members = netsim::everybody(system);
        AstraStart start;
        const bool together = random() % 2 == 0;
        for (std::size_t i = 0; i < members.size(); ++i)
            start.members.push_back(together || i == 0 ? 0 : static_cast<netsim::Ticks>(random() % 3000));
        SolvedCollective solved{system};
        EXPECT_EQ(solved.ends(plan, members, start),
                  play_messages(system, AstraNetwork::unaware, plan, members, start))
            << "round " << round;
    }
}

}  // namespace
}  // namespace dse::sim::replay
