#include "ir/partition/indexed_factors.hpp"

#include <gtest/gtest.h>

#include "ir/written_program.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;
using Kind = FactorRule::Kind;
using Tensor = FactorRule::Tensor;

// An embedding: rows of [vocabulary, h] named by [b, s, 1] are [b, s, h].
GatherDimensions embedding() {
    GatherDimensions dims;
    dims.offset = {2};
    dims.collapsed = {0};
    dims.start_index_map = {0};
    dims.index_vector = 2;
    dims.slice_sizes = {1, 32};
    return dims;
}

TEST(GatherRule, SumsOverTheRowsAndSplitsTheRest) {
    WrittenProgram p;
    const ValueId rows =
        p.operation(Opcode::gather, {p.argument({64, 32}), p.argument({2, 8, 1})}, {2, 8, 32}, embedding());
    const auto rule = gather_rule(p.program, *p.program.definition(rows));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->operands[0], (Tensor{{0}, {1}}));
    EXPECT_EQ(rule->factors[0].kind, Kind::reduction);
    EXPECT_EQ(rule->operands[1], (Tensor{{2}, {3}, {}}));
    EXPECT_EQ(rule->results[0], (Tensor{{2}, {3}, {1}}));
}

TEST(ScatterRule, GivesEachOwnerItsRows) {
    WrittenProgram p;
    ScatterDimensions dims;
    dims.update_window = {2};
    dims.inserted_window = {0};
    dims.scatter_to_operand = {0};
    dims.index_vector = 2;
    const ValueId sum =
        p.operation(Opcode::scatter, {p.argument({64, 32}), p.argument({2, 8, 1}), p.argument({2, 8, 32})},
                    {64, 32}, dims);
    const auto rule = scatter_rule(p.program, *p.program.definition(sum));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->factors[0].kind, Kind::parallel);
    EXPECT_EQ(rule->factors[2].kind, Kind::reduction);  // updates of other batches
    EXPECT_EQ(rule->operands[2], (Tensor{{2}, {3}, {1}}));
    EXPECT_EQ(rule->results[0], rule->operands[0]);
}

TEST(GatherRule, KeepsWholeWhatSlicesCut) {
    WrittenProgram p;
    GatherDimensions dims = embedding();
    dims.slice_sizes = {1, 16};
    const ValueId rows =
        p.operation(Opcode::gather, {p.argument({64, 32}), p.argument({2, 8, 1})}, {2, 8, 16}, dims);
    const auto rule = gather_rule(p.program, *p.program.definition(rows));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->factors[1].kind, Kind::whole);
}

TEST(GatherRule, IsNoneWhereDimensionsDoNotFit) {
    WrittenProgram p;
    GatherDimensions dims = embedding();
    dims.offset = {9};
    const ValueId rows =
        p.operation(Opcode::gather, {p.argument({64, 32}), p.argument({2, 8, 1})}, {2, 8, 32}, dims);
    EXPECT_FALSE(gather_rule(p.program, *p.program.definition(rows)).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
