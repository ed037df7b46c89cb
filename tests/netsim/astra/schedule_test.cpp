#include "dse/netsim/astra/schedule.hpp"

#include <gmock/gmock.h>

#include "support/schedule_files.hpp"

namespace dse::netsim {
namespace {

using test::TraceBytes;
using testing::ElementsAre;

TEST(AstraSchedule, steps_become_ready_in_the_order_of_gnu_hash_sets) {
    const test::TemporaryFolder folder;
    TraceBytes bytes;
    bytes.compute(5, 1);
    for (std::uint64_t id = 0; id < 4; ++id) bytes.compute(id, 1, {5});
    const AstraSchedule schedule{read_schedule(write_schedule(folder, "s", {bytes}))};
    const AstraScheduleOrder& order = schedule.orders[0];
    EXPECT_THAT(order.roots, ElementsAre(5));
    // An unordered_set of GNU's library puts what comes into an empty bucket in front.
    EXPECT_THAT(order.children[0], ElementsAre(4, 3, 2, 1));
    EXPECT_THAT(order.waits, ElementsAre(0, 1, 1, 1, 1));
    EXPECT_EQ(order.step_of.at(5), 0U);
}

TEST(AstraSchedule, a_step_waits_once_for_each) {
    const test::TemporaryFolder folder;
    const std::string prefix =
        write_schedule(folder, "s", {TraceBytes{}.compute(7, 1).compute(8, 1, {7, 7})});
    const AstraSchedule schedule{read_schedule(prefix)};
    EXPECT_THAT(schedule.orders[0].waits, ElementsAre(0, 1));
}

TEST(AstraSchedules, a_node_of_its_own_goes_before_its_kind) {
    using graph::CollectiveKind;
    const auto make = [] { return std::make_shared<const AstraSchedule>(Schedule{}); };
    AstraSchedules schedules;
    EXPECT_TRUE(schedules.empty());
    const auto kind = make();
    const auto node = make();
    schedules.of_kind[static_cast<std::size_t>(CollectiveKind::all_gather)] = kind;
    schedules.of_node[3] = node;
    EXPECT_FALSE(schedules.empty());
    EXPECT_EQ(schedules.find(CollectiveKind::all_gather, 3), node.get());
    EXPECT_EQ(schedules.find(CollectiveKind::all_gather, 4), kind.get());
    EXPECT_EQ(schedules.find(CollectiveKind::all_reduce, 4), nullptr);
    // As 32 bits hold it.
    EXPECT_EQ(schedules.find(CollectiveKind::all_reduce, (1ULL << 32) + 3), node.get());
}

}  // namespace
}  // namespace dse::netsim
