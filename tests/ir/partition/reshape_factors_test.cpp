#include "ir/partition/reshape_factors.hpp"

#include <gtest/gtest.h>

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

TEST(ReshapeRule, KeepsWholeWhatDoesNotDivide) {
    const FactorRule rule = reshape_rule({5, 6, 4}, {5, 8, 3});
    EXPECT_EQ(rule.factors[0].kind, Kind::parallel);
    for (std::size_t f = 1; f < rule.factors.size(); ++f) EXPECT_EQ(rule.factors[f].kind, Kind::whole) << f;
    EXPECT_EQ(rule.operands[0][0], rule.results[0][0]);
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
