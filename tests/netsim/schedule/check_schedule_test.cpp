#include "dse/netsim/schedule/check_schedule.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/schedule_files.hpp"

namespace dse::netsim {
namespace {

using test::ScheduleBytes;
using test::TraceBytes;
using testing::HasSubstr;

class CheckSchedule : public testing::Test {
  protected:
    std::string error_of(const ScheduleBytes& members, std::size_t group) {
        const test::TemporaryFolder folder;
        const Schedule schedule = read_schedule(write_schedule(folder, "s", members));
        try {
            check_schedule(schedule, group);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(CheckSchedule, takes_what_ends) {
    for (const std::int64_t n : {2, 3, 5, 8}) {
        EXPECT_EQ(error_of(test::ring_bytes(n, 1000, 1), static_cast<std::size_t>(n)), "");
        EXPECT_EQ(error_of(test::direct_bytes(n, 1000, 1), static_cast<std::size_t>(n)), "");
        EXPECT_EQ(error_of(test::tree_bytes(n, 1000, 1), static_cast<std::size_t>(n)), "");
    }
}

TEST_F(CheckSchedule, a_program_for_each_member_that_speaks_of_no_others) {
    EXPECT_THAT(error_of(test::ring_bytes(3, 300, 0), 4), HasSubstr("is of 3 members, the group has 4: "));
    EXPECT_THAT(error_of(test::ring_bytes(4, 400, 0), 3),
                HasSubstr("it receives from member 3, in a group of 3 members"));
    EXPECT_THAT(error_of({TraceBytes{}.send(0, 0, 5, 0).receive(1, 0, 5, 0)}, 1),
                HasSubstr("it sends to its own member"));
}

TEST_F(CheckSchedule, every_message_has_both_ends) {
    // Equal but for its size.
    EXPECT_THAT(error_of({TraceBytes{}.send(0, 1, 5, 2), TraceBytes{}.receive(0, 0, 6, 2)}, 2),
                HasSubstr("of 5 bytes from member 0 to 1 under tag 2, 1 more are sent than are awaited"));
    EXPECT_THAT(
        error_of({TraceBytes{}.compute(0, 1), TraceBytes{}.receive(0, 0, 6, 2)}, 2),
        HasSubstr("s.1.et': record 2 (node 0 'n0'): of 6 bytes from member 0 to 1 under tag 2, 1 more are "
                  "awaited than are sent"));
}

TEST_F(CheckSchedule, a_standstill_says_who_waits_for_whom) {
    // Everybody receives before it sends.
    ScheduleBytes ring(3);
    for (std::int64_t r = 0; r < 3; ++r)
        ring[static_cast<std::size_t>(r)].receive(0, (r + 2) % 3, 9, 0).send(1, (r + 1) % 3, 9, 0, {0});
    const std::string error = error_of(ring, 3);
    EXPECT_THAT(error, HasSubstr("3 of 3 members wait for ever"));
    EXPECT_THAT(error, HasSubstr("member 1: "));
    EXPECT_THAT(error,
                HasSubstr("s.1.et': record 2 (node 0 'n0') waits for 9 bytes from member 0 under tag 0"));
    EXPECT_THAT(error_of({TraceBytes{}.compute(0, 1, {1}).compute(1, 1, {0})}, 1),
                HasSubstr("waits in a circle of dependencies"));
}

}  // namespace
}  // namespace dse::netsim
