#include "dse/netsim/astra/fabric.hpp"

#include <gtest/gtest.h>

#include "dse/netsim/astra/player.hpp"
#include "netsim/astra/small_systems.hpp"

namespace dse::netsim {
namespace {

/// Begins collectives at given ticks and notes when each rank has ended each.
class Schedule {
  public:
    Schedule(const AstraSystem& system, AstraFabric::Rules rules, std::vector<AstraMembers> groups = {{}})
        : system_{system}, groups_{std::move(groups)}, fabric_{system_, rules, groups_} {}

    void begin(Ticks time, std::int64_t rank, const AstraPlan& plan, Ticks& end, std::size_t group = 0,
               std::int64_t priority = 0) {
        fabric_.events().at(time, [this, rank, plan, &end, group, priority] {
            fabric_.begin(rank, plan, group, priority, [this, &end] { end = fabric_.events().now(); });
        });
    }
    void run() { fabric_.events().run(); }

  private:
    AstraSystem system_;
    std::vector<AstraMembers> groups_;
    AstraFabric fabric_;
};

TEST(AstraFabric, a_late_member_holds_up_all) {
    const AstraSystem system = line_of(DimensionKind::fully_connected, 2, Algorithm::ring);
    Schedule schedule{system, {}};
    const AstraPlan plan = plan_all(system, CollectiveKind::all_reduce, 200);
    std::array<Ticks, 2> ends{};
    schedule.begin(0, 0, plan, ends[0]);
    schedule.begin(70, 1, plan, ends[1]);
    schedule.run();
    // Halves of 100. Rank 0 sends at 0, but what it waits for leaves rank 1 at 70 only, so that it sends its
    // second half at 170: rank 1 is done at 270. Rank 1 had the first one at 100 and passed it on then.
    EXPECT_EQ(ends, (std::array<Ticks, 2>{200, 270}));
}

/// Two all-gathers of four chunks each, the second one 5 ticks after the first, on two devices at 1 byte a
/// tick: chunks of 10 bytes go one at a time. \returns when rank 0 has ended each
std::array<Ticks, 2> two_at_once(AstraPolicy policy, std::array<std::int64_t, 2> priorities = {0, 0}) {
    AstraSystem system = line_of(DimensionKind::fully_connected, 2, Algorithm::ring);
    system.splits = 4;
    Schedule schedule{system, {.policy = policy}};
    const AstraPlan plan = plan_all(system, CollectiveKind::all_gather, 40);
    std::array<Ticks, 2> ends{};
    Ticks others = 0;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        schedule.begin(0, rank, plan, rank == 0 ? ends[0] : others, 0, priorities[0]);
        schedule.begin(5, rank, plan, rank == 0 ? ends[1] : others, 0, priorities[1]);
    }
    schedule.run();
    return ends;
}

TEST(AstraFabric, the_latest_collective_goes_first_or_last_as_the_policy_says) {
    // Chunks of the first at 0; LIFO: the second's four from 10 to 50, then the other three.
    EXPECT_EQ(two_at_once(AstraPolicy::lifo), (std::array<Ticks, 2>{80, 50}));
    EXPECT_EQ(two_at_once(AstraPolicy::fifo), (std::array<Ticks, 2>{40, 80}));
}

TEST(AstraFabric, numbers_decide_where_the_policy_asks_for_them) {
    EXPECT_EQ(two_at_once(AstraPolicy::by_number, {1, 2}), (std::array<Ticks, 2>{80, 50}));
    EXPECT_EQ(two_at_once(AstraPolicy::by_number, {2, 1}), (std::array<Ticks, 2>{40, 80}));
    // Equal ones keep their order.
    EXPECT_EQ(two_at_once(AstraPolicy::by_number, {3, 3}), (std::array<Ticks, 2>{40, 80}));
}

TEST(AstraFabric, groups_play_beside_each_other) {
    const AstraSystem system = line_of(DimensionKind::fully_connected, 4, Algorithm::ring);
    Schedule schedule{system, {}, {{{0, 1}, 1'000'000}, {{3, 2}, 2'000'000}}};
    const AstraPlan plan = plan_group(system, CollectiveKind::all_gather, 100, 2);
    std::array<Ticks, 4> ends{};
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        const bool first = rank < 2;
        schedule.begin(first ? 0 : 30, rank, plan, ends[static_cast<std::size_t>(rank)], first ? 0 : 1);
    }
    schedule.run();
    // A group's members pay 10 ticks before and after the message.
    EXPECT_EQ(ends, (std::array<Ticks, 4>{120, 120, 150, 150}));
}

TEST(AstraFabric, trees_take_turns_across_collectives) {
    const AstraSystem system = line_of(DimensionKind::fully_connected, 2, Algorithm::double_binary_tree);
    const AstraPlan plan = plan_all(system, CollectiveKind::all_reduce, 10);
    Schedule schedule{system, {}};
    std::array<Ticks, 2> first{};
    std::array<Ticks, 2> second{};
    for (std::size_t rank = 0; rank < 2; ++rank) {
        schedule.begin(0, static_cast<std::int64_t>(rank), plan, first[rank]);
        schedule.begin(100, static_cast<std::int64_t>(rank), plan, second[rank]);
    }
    schedule.run();
    // The root passes the result down when it has the other's data; then it is the other's turn to be it.
    EXPECT_EQ(first, (std::array<Ticks, 2>{20, 10}));
    EXPECT_EQ(second, (std::array<Ticks, 2>{110, 120}));
}

}  // namespace
}  // namespace dse::netsim
