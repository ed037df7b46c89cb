#include "dse/hardware/schedule_spec.hpp"

#include <gtest/gtest.h>

#include "dse/hardware/collective_spec.hpp"
#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(ScheduleSpec, is_a_record_of_the_communication_library) {
    CollectiveSpec library;
    EXPECT_EQ(errors_of("schedules: [{collective: all_gather, prefix: a/b, size: 64 MiB}]", library), "");
    ASSERT_EQ(library.schedules.size(), 1U);
    EXPECT_EQ(library.schedules[0].collective, ScheduledCollective::all_gather);
    EXPECT_EQ(library.schedules[0].prefix, "a/b");
    EXPECT_EQ(library.schedules[0].size, Bytes{67108864.0});
}

TEST(ScheduleSpec, names_its_problems) {
    EXPECT_EQ(keys(problems_of(ScheduleSpec{})), (Keys{"prefix", "size"}));
    ScheduleSpec read;
    EXPECT_NE(errors_of("{collective: broadcast, prefix: a, size: 1 MiB}", read), "");
}

}  // namespace
}  // namespace dse::hardware
