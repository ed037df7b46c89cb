#include "sim/replay/check_schedules.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "sim/replay/hand_job.hpp"
#include "support/schedule_files.hpp"

namespace dse::sim::replay {
namespace {

using netsim::AstraSchedule;
using testing::HasSubstr;

/// Four devices, whose all-reduces are a ring of four from trace files: six messages of 100 ticks, three sums
/// of 1 µs.
class CheckSchedules : public testing::Test {
  protected:
    CheckSchedules() { hand_.machine.schedules.of_kind[0] = ring_of(4); }
    static std::shared_ptr<const AstraSchedule> ring_of(std::int64_t members) {
        const test::TemporaryFolder folder;
        return std::make_shared<const AstraSchedule>(netsim::read_schedule(
            write_schedule(folder, "ring", test::ring_bytes(members, 100 * members, 1))));
    }
    void all_reduce(const std::string& group = "") {
        for (HandTrace& rank : hand_.hands) rank.collective(0, CommType::all_reduce, 1, group);
    }
    std::string error_of() {
        try {
            replay(hand_.job());
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    static constexpr netsim::Ticks ring_ticks = 6 * 100 + 3 * 1000;

    HandJob hand_{4};
};

TEST_F(CheckSchedules, a_job_plays_its_collectives_from_trace_files) {
    all_reduce();
    for (HandTrace& rank : hand_.hands) rank.collective(1, CommType::all_gather, 10, "", {0});
    const AstraJob& job = hand_.job();
    EXPECT_EQ(replay(job)[3].finish, ring_ticks + 30) << "its own ring for what no file spells out";
    EXPECT_EQ(replay(job), replay_messages(job));
}

TEST_F(CheckSchedules, groups_are_as_large_as_their_schedules) {
    hand_.machine.schedules.of_kind[0] = ring_of(3);
    all_reduce();
    EXPECT_THAT(error_of(), HasSubstr("is of 3 members, the group has 4"));
}

TEST_F(CheckSchedules, groups_list_their_ranks_in_order) {
    hand_.listed.add("5", {3, 1, 0, 2});
    all_reduce("5");
    EXPECT_THAT(error_of(), HasSubstr("lists its ranks out of order"));
}

TEST_F(CheckSchedules, one_implementation_a_kind_in_a_group) {
    hand_.listed.add("5", {0, 1, 2, 3});
    hand_.machine.schedules.of_node[1] = ring_of(4);
    all_reduce("5");
    for (HandTrace& rank : hand_.hands) rank.collective(1, CommType::all_reduce, 1, "5", {0});
    EXPECT_THAT(error_of(), HasSubstr("ASTRA-sim keeps the one of the first for both"));
}

TEST_F(CheckSchedules, who_names_no_group_has_one_a_node) {
    hand_.machine.schedules.of_node[1] = ring_of(4);
    all_reduce();
    for (HandTrace& rank : hand_.hands) rank.collective(1, CommType::all_gather, 1, "", {0});
    EXPECT_EQ(replay(hand_.job())[0].finish, 2 * ring_ticks);
}

}  // namespace
}  // namespace dse::sim::replay
