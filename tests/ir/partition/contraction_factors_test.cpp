#include "ir/partition/contraction_factors.hpp"

#include <gtest/gtest.h>

#include "ir/partition/written_rule.hpp"
#include "support/factor_rule_text.hpp"

namespace dse::ir::partition {
namespace {

using test::rule_of;
using test::WrittenProgram;
using Kind = FactorRule::Kind;
using Tensor = FactorRule::Tensor;

// (b, m, k) times (b, k, n): the contracted factor is in both operands and no result.
TEST(ContractionFactors, OfAProductIsItsEinsum) {
    WrittenProgram p;
    const ValueId lhs = p.argument({2, 3, 5});
    const ValueId rhs = p.argument({2, 5, 7});
    const auto rule =
        rule_of(p, p.operation(Opcode::dot, {lhs, rhs}, {2, 3, 7}, DotDimensions{{0}, {0}, {2}, {1}}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j, k], [i, k, l])->([i, j, l]) {i=2, j=3, k=5, l=7} reduction={k}");
}

TEST(ContractionFactors, OfAReductionDropsItsDimensions) {
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

// NHWC times HWIO: batch and output features are parallel, input features a reduction; a row of windows needs
// its neighbours. The 14 rows make 14 windows: nothing of them is left for the 3 positions in a window.
TEST(ContractionFactors, OfAConvolutionSplitsBatchAndFeatures) {
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
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j, k, l], [m, n, l, o])->([i, j, k, o]) "
              "{i=8, j=14, k=14, l=64, m=1, n=1, o=128} reduction={l} permutation={j, k}");
}

// A batch of matrices to be decomposed: each is one device's.
TEST(ContractionFactors, OfADecompositionSplitBatchesOnly) {
    WrittenProgram p;
    const auto rule = rule_of(p, p.operation(Opcode::cholesky, {p.argument({2, 8, 8})}, {2, 8, 8}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule), "([i, j, k])->([i, j, k]) {i=2, j=8, k=8} need_replication={j, k}");
}

}  // namespace
}  // namespace dse::ir::partition
