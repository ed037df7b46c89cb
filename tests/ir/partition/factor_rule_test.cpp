#include "ir/partition/factor_rule.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "ir/written_program.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;
using Kind = FactorRule::Kind;
using Tensor = FactorRule::Tensor;

std::optional<FactorRule> rule_of(const WrittenProgram& written, ValueId result) {
    return factor_rule(written.program, *written.program.definition(result));
}

// (b, m, k) times (b, k, n): the contracted factor is in both operands and no result.
TEST(FactorRule, OfAProductIsItsEinsum) {
    WrittenProgram p;
    const ValueId lhs = p.argument({2, 3, 5});
    const ValueId rhs = p.argument({2, 5, 7});
    const auto rule =
        rule_of(p, p.operation(Opcode::dot, {lhs, rhs}, {2, 3, 7}, DotDimensions{{0}, {0}, {2}, {1}}));
    ASSERT_TRUE(rule.has_value());
    ASSERT_EQ(rule->factors.size(), 4U);  // b, k, m, n
    EXPECT_EQ(rule->factors[1].kind, Kind::reduction);
    EXPECT_EQ(rule->operands[0], (Tensor{{0}, {2}, {1}}));
    EXPECT_EQ(rule->operands[1], (Tensor{{0}, {1}, {3}}));
    EXPECT_EQ(rule->results[0], (Tensor{{0}, {2}, {3}}));
}

// Whose dimensions got lost is no product of these shapes: (m, k) times (k, n) without a contraction has
// four.
TEST(FactorRule, RefusesAttributesThatDoNotFitTheTypes) {
    WrittenProgram p;
    const ValueId lhs = p.argument({4, 128});
    const ValueId rhs = p.argument({128, 128});
    EXPECT_THROW(rule_of(p, p.operation(Opcode::dot, {lhs, rhs}, {4, 128}, DotDimensions{})), ModelError);
    const ValueId zero = p.argument({});
    EXPECT_THROW(rule_of(p, p.operation(Opcode::reduce, {lhs, zero}, {4}, Dimensions{})), ModelError);
}

TEST(FactorRule, OfAReductionDropsItsDimensions) {
    WrittenProgram p;
    const ValueId x = p.argument({4, 6});
    const ValueId zero = p.argument({});
    const auto rule = rule_of(p, p.operation(Opcode::reduce, {x, zero}, {4}, Dimensions{{1}}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->operands[0], (Tensor{{0}, {1}}));
    EXPECT_EQ(rule->operands[1], Tensor{});
    EXPECT_EQ(rule->results[0], Tensor{{0}});
    EXPECT_EQ(rule->factors[1].kind, Kind::reduction);
}

TEST(FactorRule, OfABroadcastGivesNewDimensionsFactorsOfTheirOwn) {
    WrittenProgram p;
    const ValueId x = p.argument({1, 6});
    const auto rule = rule_of(p, p.operation(Opcode::broadcast, {x}, {4, 5, 6}, Dimensions{{1, 2}}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->operands[0], (Tensor{{}, {2}}));  // the dimension of 1 is repeated: nothing to shard
    EXPECT_EQ(rule->results[0], (Tensor{{0}, {1}, {2}}));
}

TEST(FactorRule, OfATransposeFollowsItsDimensions) {
    WrittenProgram p;
    const auto rule =
        rule_of(p, p.operation(Opcode::transpose, {p.argument({2, 3, 4})}, {4, 2, 3}, Dimensions{{2, 0, 1}}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->results[0], (Tensor{{2}, {0}, {1}}));
}

// NHWC times HWIO: batch and output features are parallel, input features a reduction, windows whole.
TEST(FactorRule, OfAConvolutionSplitsBatchAndFeatures) {
    WrittenProgram p;
    ConvolutionDimensions dims;
    dims.window = {{3, 1, 1, 1}, {3, 1, 1, 1}};
    dims.input_feature = dims.output_feature = 3;
    dims.input_spatial = dims.output_spatial = {1, 2};
    dims.kernel_spatial = {0, 1};
    dims.kernel_input_feature = 2;
    dims.kernel_output_feature = 3;
    const ValueId x = p.argument({8, 14, 14, 64});
    const ValueId w = p.argument({3, 3, 64, 128});
    auto rule = rule_of(p, p.operation(Opcode::convolution, {x, w}, {8, 14, 14, 128}, dims));
    ASSERT_TRUE(rule.has_value());
    const auto kind = [&rule](const std::vector<FactorRule::Number>& dimension) {
        return rule->factors[dimension.at(0)].kind;
    };
    EXPECT_EQ(rule->operands[0][0], rule->results[0][0]);
    EXPECT_EQ(rule->operands[1][3], rule->results[0][3]);
    EXPECT_EQ(rule->operands[0][3], rule->operands[1][2]);
    EXPECT_EQ(kind(rule->operands[0][0]), Kind::parallel);
    EXPECT_EQ(kind(rule->operands[0][3]), Kind::reduction);
    EXPECT_EQ(kind(rule->operands[0][1]), Kind::whole);
    dims.feature_groups = 64;
    rule =
        rule_of(p, p.operation(Opcode::convolution, {x, p.argument({3, 3, 1, 128})}, {8, 14, 14, 128}, dims));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(kind(rule->operands[0][3]), Kind::whole);
}

TEST(FactorRule, LeavesAloneOnlyWhatASliceTakesWhole) {
    WrittenProgram p;
    const auto rule = rule_of(
        p, p.operation(Opcode::slice, {p.argument({8, 6})}, {8, 3}, SliceRanges{{0, 0}, {8, 3}, {1, 1}}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->factors[0].kind, Kind::parallel);
    EXPECT_EQ(rule->factors[1].kind, Kind::whole);
}

// The gradient of a max pool of 2 × 2: batch and features are parallel, the pooled dimensions whole.
TEST(FactorRule, OfAWindowSplitsWhatItDoesNotCover) {
    WrittenProgram p;
    const Window pool{{{}, {2, 2}, {2, 2}, {}}};
    const ValueId x = p.argument({8, 14, 14, 64});
    const ValueId pooled = p.operation(Opcode::reduce_window, {x, p.argument({})}, {8, 7, 7, 64}, pool);
    const ValueId back =
        p.operation(Opcode::select_and_scatter, {x, pooled, p.argument({})}, {8, 14, 14, 64}, pool);
    for (const ValueId value : {pooled, back}) {
        const auto rule = rule_of(p, value);
        ASSERT_TRUE(rule.has_value());
        EXPECT_EQ(rule->factors[0].kind, Kind::parallel);
        EXPECT_EQ(rule->factors[1].kind, Kind::whole);
        EXPECT_EQ(rule->factors[3].kind, Kind::parallel);
    }
}

TEST(FactorRule, ExistsForNoForeignOperationAndNoUnknownSize) {
    WrittenProgram p;
    EXPECT_FALSE(rule_of(p, p.operation(Opcode::custom_call, {p.argument({4})}, {4})).has_value());
    EXPECT_FALSE(
        rule_of(p, p.operation(Opcode::negate, {p.argument({unknown_size})}, {unknown_size})).has_value());
    // Attributes that do not fit their arrays.
    EXPECT_FALSE(rule_of(p, p.operation(Opcode::transpose, {p.argument({4, 2})}, {2, 4}, Dimensions{{1, 7}}))
                     .has_value());
    EXPECT_FALSE(rule_of(p, p.operation(Opcode::dot, {p.argument({4}), p.argument({4})}, {},
                                        DotDimensions{{}, {}, {3}, {0}}))
                     .has_value());
}

TEST(FactorRule, TiesEndsOfAnEdge) {
    Type matrix;
    matrix.sizes = {4, 2};
    Type vector;
    vector.sizes = {4};
    const FactorRule rule = alike({&matrix, &vector}, {&matrix});
    EXPECT_EQ(rule.operands[0], rule.results[0]);
    EXPECT_EQ(rule.operands[1], Tensor(1));
}

TEST(TurnOf, PutsWhatLeavesElementsInTheirPlacesFirst) {
    EXPECT_EQ(turn_of(Opcode::add), Turn::first);
    EXPECT_EQ(turn_of(Opcode::reshape), Turn::first);
    EXPECT_EQ(turn_of(Opcode::dot), Turn::second);
    EXPECT_EQ(turn_of(Opcode::gather), Turn::second);
    EXPECT_EQ(turn_of(Opcode::broadcast), Turn::last);
}

}  // namespace
}  // namespace dse::ir::partition
