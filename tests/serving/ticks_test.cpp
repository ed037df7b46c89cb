#include "dse/serving/ticks.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::serving {
namespace {

TEST(Ticks, ARunEndsInTime) {
    const Ticks hour = to_ticks(3600.0);
    EXPECT_EQ(end_of(hour, hour), to_ticks(7200.0));
    EXPECT_EQ(to_seconds(end_of(0, to_ticks(longest_run))), longest_run);
    EXPECT_THROW(end_of(1, to_ticks(longest_run)), ModelError);
    EXPECT_THROW(end_of(hour, to_ticks(longest_run)), ModelError);
}

/// 2^40 ticks a second: 16,384 s and 1,024 times as long would be 2^64, which is 0.
TEST(Ticks, ManyTimesTooMuchIsRefusedNotWrapped) {
    EXPECT_EQ(repeated(to_ticks(3.0), 5), to_ticks(15.0));
    EXPECT_EQ(repeated(to_ticks(3.0), 0), 0);
    EXPECT_EQ(repeated(to_ticks(longest_run), 1), to_ticks(longest_run));
    for (const double each : {16384.0, longest_run})
        EXPECT_THROW(end_of(0, repeated(to_ticks(each), 1024)), ModelError) << each;
}

TEST(Ticks, NoTimeIsLongerThanARun) {
    EXPECT_EQ(to_ticks(1e300), to_ticks(longest_run));
}

}  // namespace
}  // namespace dse::serving
