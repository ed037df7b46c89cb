#include "ir/partition/indexed_factors.hpp"

#include <array>

#include <gtest/gtest.h>

#include "ir/written_program.hpp"
#include "support/factor_rule_text.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;

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
    const auto rule = gather_rule({p.program, *p.program.definition(rows)});
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j], [k, l, m])->([k, l, j]) {i=64, j=32, k=2, l=8, m=1} "
              "reduction={i} need_replication={m}");
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
    const auto rule = scatter_rule({p.program, *p.program.definition(sum)});
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j], [k, l, m], [k, l, j])->([i, j]) "
              "{i=64, j=32, k=2, l=8, m=1} reduction={k, l} need_replication={m}");
}

// Where the last update wins, no sum puts the devices' results together.
TEST(ScatterRule, KeepsTheUpdatesOfAnAssignmentWhole) {
    WrittenProgram p;
    const ComputationId assign = p.builder.computation("assign");
    p.builder.argument(assign, p.array({}));
    p.builder.results(assign, std::array{p.builder.argument(assign, p.array({}))});
    ScatterDimensions dims;
    dims.inserted_window = {0};
    dims.scatter_to_operand = {0};
    dims.index_vector = 1;
    const std::array operands{p.argument({64}), p.argument({8, 1}), p.argument({8})};
    const std::array results{p.array({64})};
    const std::array called{assign};
    const Operation& scatter = p.builder.append(p.main, {.opcode = Opcode::scatter,
                                                         .operands = operands,
                                                         .results = results,
                                                         .called = called,
                                                         .attribute = p.builder.attribute(dims)});
    const auto rule = scatter_rule({p.program, scatter});
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule), "([i], [j, k], [j])->([i]) {i=64, j=8, k=1} need_replication={j, k}");
}

TEST(GatherRule, KeepsWholeWhatSlicesCut) {
    WrittenProgram p;
    GatherDimensions dims = embedding();
    dims.slice_sizes = {1, 16};
    const ValueId rows =
        p.operation(Opcode::gather, {p.argument({64, 32}), p.argument({2, 8, 1})}, {2, 8, 16}, dims);
    const auto rule = gather_rule({p.program, *p.program.definition(rows)});
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j], [k, l, m])->([k, l, j]) {i=64, j=32, k=2, l=8, m=1} "
              "reduction={i} need_replication={j, m} blocked_propagation={j}");
}

TEST(GatherRule, IsNoneWhereDimensionsDoNotFit) {
    WrittenProgram p;
    GatherDimensions dims = embedding();
    dims.offset = {9};
    const ValueId rows =
        p.operation(Opcode::gather, {p.argument({64, 32}), p.argument({2, 8, 1})}, {2, 8, 32}, dims);
    EXPECT_FALSE(gather_rule({p.program, *p.program.definition(rows)}).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
