#include "dse/hardware/network/schedule_spec.hpp"

#include <gtest/gtest.h>

#include "dse/hardware/network/collective_spec.hpp"
#include "hardware/problem_keys.hpp"
#include "support/temporary_folder.hpp"

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

TEST(ScheduleSpec, has_its_files_beside_the_one_that_names_them_or_where_it_says) {
    const test::TemporaryFolder folder;
    const std::string file =
        folder.write("machine.yaml", "schedules: [{collective: all_reduce, prefix: s/ring, size: 1 MiB}]");
    const auto prefix = [&] {
        config::Diagnostics diagnostics;
        CollectiveSpec library;
        config::read_struct(config::load_yaml(file, diagnostics), library, nullptr, diagnostics);
        return library.schedules.at(0).prefix;
    };
    EXPECT_EQ(prefix(), "s/ring");
    folder.write("s/ring.0.et", "");
    EXPECT_EQ(prefix(), folder.path("s/ring"));
}

TEST(ScheduleSpec, names_its_problems) {
    EXPECT_EQ(keys(problems_of(ScheduleSpec{})), (Keys{"size", "prefix"}));
    ScheduleSpec read;
    EXPECT_NE(errors_of("{collective: broadcast, prefix: a, size: 1 MiB}", read), "");
}

}  // namespace
}  // namespace dse::hardware
