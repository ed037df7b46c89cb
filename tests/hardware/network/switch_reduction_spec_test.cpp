#include "dse/hardware/network/switch_reduction_spec.hpp"

#include <gtest/gtest.h>

#include "dse/hardware/network/scale_up_spec.hpp"
#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(SwitchReductionSpec, serves_groups_that_are_large_enough) {
    EXPECT_FALSE(SwitchReductionSpec{}.serves(1000));
    const SwitchReductionSpec reduction{0.5, 5};
    EXPECT_FALSE(reduction.serves(4));
    EXPECT_TRUE(reduction.serves(5));
    // Half of the line rate, whatever long messages sustain.
    EXPECT_EQ(reduction.rate({BytesPerSecond{100e9}, Seconds{1e-6}, 0.9}), BytesPerSecond{50e9});
}

TEST(SwitchReductionSpec, every_field_has_its_range) {
    ScaleUpSpec scale_up;
    scale_up.link.bandwidth = BytesPerSecond{1.0};
    EXPECT_EQ(keys(problems_of(scale_up)), Keys{});
    scale_up.reduction = {1.5, 1};
    EXPECT_EQ(keys(problems_of(scale_up)), (Keys{"reduction_efficiency", "reduction_members"}));
}

}  // namespace
}  // namespace dse::hardware
