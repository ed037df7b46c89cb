#include "ir/partition/factor_rule.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "ir/partition/written_rule.hpp"

namespace dse::ir::partition {
namespace {

using test::rule_of;
using test::WrittenProgram;
using Tensor = FactorRule::Tensor;

// Whose dimensions got lost is not a product of these shapes: (m, k) times (k, n) without a contraction has
// four.
TEST(FactorRule, RefusesAttributesThatDoNotFitTheTypes) {
    WrittenProgram p;
    const ValueId lhs = p.argument({4, 128});
    const ValueId rhs = p.argument({128, 128});
    EXPECT_THROW(rule_of(p, p.operation(Opcode::dot, {lhs, rhs}, {4, 128}, DotDimensions{})), ModelError);
    const ValueId zero = p.argument({});
    EXPECT_THROW(rule_of(p, p.operation(Opcode::reduce, {lhs, zero}, {4}, Dimensions{})), ModelError);
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

}  // namespace
}  // namespace dse::ir::partition
