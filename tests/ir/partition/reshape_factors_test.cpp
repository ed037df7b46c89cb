#include "ir/partition/reshape_factors.hpp"

#include <gtest/gtest.h>

#include "support/factor_rule_text.hpp"

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;
using Tensor = FactorRule::Tensor;

TEST(ReshapeRule, SplitsADimension) {
    const FactorRule rule = reshape_rule({8, 6}, {2, 4, 6});
    ASSERT_EQ(rule.factors.size(), 3U);
    EXPECT_EQ(rule.factors[0].size, 2);
    EXPECT_EQ(rule.factors[1].size, 4);
    EXPECT_EQ(rule.factors[2].size, 6);
    EXPECT_EQ(rule.operands[0], (Tensor{{0, 1}, {2}}));
    EXPECT_EQ(rule.results[0], (Tensor{{0}, {1}, {2}}));
}

TEST(ReshapeRule, JoinsDimensions) {
    const FactorRule rule = reshape_rule({2, 3, 5}, {30});
    EXPECT_EQ(rule.operands[0], (Tensor{{0}, {1}, {2}}));
    EXPECT_EQ(rule.results[0], (Tensor{{0, 1, 2}}));
}

TEST(ReshapeRule, PassesOverDimensionsOfOne) {
    const FactorRule rule = reshape_rule({1, 4, 1}, {4, 1, 1, 1});
    EXPECT_EQ(rule.operands[0], (Tensor{{}, {0}, {}}));
    EXPECT_EQ(rule.results[0], (Tensor{{0}, {}, {}, {}}));
}

// 6 and 8 have 2 in common; what is left, 3 × 4 and 4 × 3, belongs to one side each.
TEST(ReshapeRule, KeepsWholeWhatDoesNotDivide) {
    EXPECT_EQ(dse::test::text(reshape_rule({5, 6, 4}, {5, 8, 3})),
              "([i, jk, l])->([i, jm, n]) {i=5, j=2, k=3, l=4, m=4, n=3} need_replication={k, l, m, n}");
}

TEST(ReshapeRule, GoesOnBehindWhatDoesNotDivide) {
    const FactorRule rule = reshape_rule({6, 4, 7}, {8, 3, 7});
    EXPECT_EQ(rule.factors.back().size, 7);
    EXPECT_EQ(rule.factors.back().kind, Kind::parallel);
    EXPECT_EQ(rule.operands[0][2], rule.results[0][2]);
    EXPECT_FALSE(rule.operands[0][2].empty());
}

TEST(ReshapeRule, EndsAtAnUnknownSize) {
    EXPECT_TRUE(reshape_rule({unknown_size}, {4}).factors.empty());
}

}  // namespace
}  // namespace dse::ir::partition
