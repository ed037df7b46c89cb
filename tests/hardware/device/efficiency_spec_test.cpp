#include "dse/hardware/device/efficiency_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(EfficiencySpec, defaults_are_the_roofline) {
    const EfficiencySpec efficiency;
    EXPECT_TRUE(problems_of(efficiency).empty());
    EXPECT_EQ(efficiency.gemm, 1.0);
    EXPECT_EQ(efficiency.optimizer, 1.0);
}

TEST(EfficiencySpec, nothing_exceeds_its_bound) {
    const EfficiencySpec above{1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1};
    EXPECT_EQ(keys(problems_of(above)), (Keys{"gemm", "elementwise", "normalization", "softmax", "embedding",
                                              "cross_entropy", "optimizer"}));
}

}  // namespace
}  // namespace dse::hardware
