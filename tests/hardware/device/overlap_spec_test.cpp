#include "dse/hardware/device/overlap_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(OverlapSpec, kernels_do_not_notice_collectives_unless_it_is_said) {
    const OverlapSpec overlap;
    EXPECT_EQ(overlap.compute_slowdown, 1.0);
    EXPECT_EQ(overlap.lost_share(), 0.0);
    EXPECT_EQ(overlap.rule, OverlapRule::fixed);
}

TEST(OverlapSpec, a_quarter_more_time_is_a_fifth_of_the_collective) {
    OverlapSpec overlap;
    EXPECT_EQ(errors_of("compute_slowdown: 1.25\nrule: measured\n", overlap), "");
    // In 1 s beside a collective they do what takes 1 / 1.25 = 0.8 s alone.
    EXPECT_DOUBLE_EQ(overlap.lost_share(), 0.2);
    EXPECT_EQ(overlap.rule, OverlapRule::measured);
}

TEST(OverlapSpec, nothing_runs_faster_for_company) {
    EXPECT_EQ(keys(problems_of(OverlapSpec{0.9, OverlapRule::fixed})), (Keys{"compute_slowdown"}));
}

}  // namespace
}  // namespace dse::hardware
