#include "dse/hardware/straggler_spec.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "dse/hardware/system_spec.hpp"
#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(StragglerSpec, all_devices_are_equal_unless_it_is_said) {
    EXPECT_FALSE(StragglerSpec{}.exist());
    StragglerSpec slow;
    EXPECT_EQ(errors_of("number: 2\nfirst_rank: 3\nrank_stride: 8\nslowdown: 1.2\n", slow), "");
    EXPECT_TRUE(slow.exist());
    slow.slowdown = 1.0;
    EXPECT_FALSE(slow.exist());
}

TEST(StragglerSpec, has_ranks_that_there_can_be) {
    EXPECT_EQ(keys(problems_of(StragglerSpec{{-1, -1, 0}, 0.0})),
              (Keys{"number", "first_rank", "rank_stride", "slowdown"}));
}

/// Ranks 3, 11, …, 27: of 28 devices there is a rank 27, of 27 none.
TEST(StragglerSpec, all_of_them_are_in_the_job) {
    SystemSpec system;
    system.stragglers = {{4, 3, 8}, 1.5};
    system.devices = 28;
    const Keys inside = keys(problems_of(system));
    EXPECT_EQ(std::count(inside.begin(), inside.end(), "stragglers"), 0);
    system.devices = 27;
    const Keys beyond = keys(problems_of(system));
    EXPECT_EQ(std::count(beyond.begin(), beyond.end(), "stragglers"), 1);
}

}  // namespace
}  // namespace dse::hardware
