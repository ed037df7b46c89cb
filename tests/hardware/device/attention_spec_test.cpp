#include "dse/hardware/device/attention_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(AttentionSpec, defaults_are_the_matmul_rate) {
    const AttentionSpec attention;
    EXPECT_TRUE(problems_of(attention).empty());
    EXPECT_EQ(attention.efficiency, 1.0);
    EXPECT_EQ(attention.head_dim_half, 0.0);
    EXPECT_EQ(attention.sequence_half, 0.0);
}

TEST(AttentionSpec, every_constant_has_its_range) {
    AttentionSpec attention;
    attention.efficiency = 0.0;
    attention.head_dim_half = -1.0;
    attention.sequence_half = -1.0;
    EXPECT_EQ(keys(problems_of(attention)), (Keys{"efficiency", "head_dim_half", "sequence_half"}));
}

}  // namespace
}  // namespace dse::hardware
