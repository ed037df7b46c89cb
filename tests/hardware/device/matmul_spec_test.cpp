#include "dse/hardware/device/matmul_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(MatmulSpec, defaults_are_a_plain_roofline) {
    const MatmulSpec matmul;
    EXPECT_TRUE(problems_of(matmul).empty());
    EXPECT_EQ(matmul.area, 0.0);
    EXPECT_EQ(matmul.depth, 0.0);
    EXPECT_EQ(matmul.sharpness, 0.0);
    EXPECT_EQ(matmul.memory_efficiency, 1.0);
}

TEST(MatmulSpec, a_soft_corner_below_one_is_refused) {
    MatmulSpec matmul;
    matmul.sharpness = 0.5;
    EXPECT_EQ(keys(problems_of(matmul)), Keys{"sharpness"});
    matmul.sharpness = 1.0;
    EXPECT_EQ(keys(problems_of(matmul)), Keys{});
}

TEST(MatmulSpec, every_constant_has_its_range) {
    MatmulSpec matmul;
    matmul.sustained.bf16 = FlopPerSecond{-1.0};
    matmul.area = -1.0;
    matmul.depth = -1.0;
    matmul.memory_efficiency = 1.1;
    matmul.narrow_factor = 0.0;
    EXPECT_EQ(keys(problems_of(matmul)),
              (Keys{"area", "depth", "memory_efficiency", "narrow_factor", "sustained.bf16"}));
}

}  // namespace
}  // namespace dse::hardware
