#include "dse/netsim/schedule/schedule.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/schedule_files.hpp"

namespace dse::netsim {
namespace {

using test::error_message;
using test::TraceBytes;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Schedule, is_read_member_by_member) {
    const test::TemporaryFolder folder;
    const Schedule ring = read_schedule(write_schedule(folder, "ring", test::ring_bytes(3, 300, 2)));
    ASSERT_EQ(ring.members.size(), 3U);
    const ScheduleProgram& first = ring.members[0];
    // Four messages out, four in, two sums.
    EXPECT_EQ(first.size(), 10U);
    EXPECT_EQ(first.step(0).kind, ScheduleStep::Kind::send);
    EXPECT_EQ(first.step(0).peer, 1);
    EXPECT_EQ(first.step(1).kind, ScheduleStep::Kind::receive);
    EXPECT_EQ(first.step(1).peer, 2);
    EXPECT_EQ(first.step(1).bytes, 100);
    EXPECT_EQ(first.step(2).kind, ScheduleStep::Kind::compute);
    EXPECT_EQ(first.step(2).micros, 2U);
    EXPECT_THAT(first.parents(2), ElementsAre(1));
    EXPECT_THAT(first.parents(3), ElementsAre(2));
    EXPECT_EQ(first.step(3).tag, 1);
}

TEST(Schedule, says_which_record_is_no_step_of_one) {
    const test::TemporaryFolder folder;
    const auto error_of = [&](TraceBytes& bytes) {
        const std::string prefix = write_schedule(folder, "bad", {bytes});
        return error_message([&] { read_schedule(prefix); });
    };
    EXPECT_THAT(error_of(TraceBytes{}.compute(0, 1).collective(4, 0, 100)),
                HasSubstr("bad.0.et': record 3 (node 4 'n4'): a schedule is made of sends, receives and"));
    EXPECT_THAT(error_of(TraceBytes{}.send(0, 1, 0, 0)), HasSubstr("a message of no bytes"));
    EXPECT_THAT(error_of(TraceBytes{}.send(0, -1, 5, 0)), HasSubstr("there is no member -1"));
    TraceBytes empty;
    EXPECT_THAT(error_of(empty), HasSubstr("bad.0.et"));
}

TEST(Schedule, says_which_file_is_missing) {
    const test::TemporaryFolder folder;
    EXPECT_THAT(error_message([&] { read_schedule(folder.path("none")); }), HasSubstr("none"));
}

}  // namespace
}  // namespace dse::netsim
