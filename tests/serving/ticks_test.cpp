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

TEST(Ticks, NoTimeIsLongerThanARun) {
    EXPECT_EQ(to_ticks(1e300), to_ticks(longest_run));
}

}  // namespace
}  // namespace dse::serving
