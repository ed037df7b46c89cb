#include "ir/partition/movement_factors.hpp"

#include <gtest/gtest.h>

#include "ir/partition/written_rule.hpp"
#include "support/factor_rule_text.hpp"

namespace dse::ir::partition {
namespace {

using test::rule_of;
using test::WrittenProgram;
using Kind = FactorRule::Kind;
using Tensor = FactorRule::Tensor;

TEST(MovementFactors, OfABroadcastGivesNewDimensionsFactorsOfTheirOwn) {
    WrittenProgram p;
    const ValueId x = p.argument({1, 6});
    const auto rule = rule_of(p, p.operation(Opcode::broadcast, {x}, {4, 5, 6}, Dimensions{{1, 2}}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->operands[0], (Tensor{{}, {2}}));  // the dimension of 1 is repeated: nothing to shard
    EXPECT_EQ(rule->results[0], (Tensor{{0}, {1}, {2}}));
}

TEST(MovementFactors, OfATransposeFollowsItsDimensions) {
    WrittenProgram p;
    const auto rule =
        rule_of(p, p.operation(Opcode::transpose, {p.argument({2, 3, 4})}, {4, 2, 3}, Dimensions{{2, 0, 1}}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule), "([i, j, k])->([k, i, j]) {i=2, j=3, k=4}");
}

TEST(MovementFactors, LeavesAloneOnlyWhatASliceTakesWhole) {
    WrittenProgram p;
    const auto rule = rule_of(
        p, p.operation(Opcode::slice, {p.argument({8, 6})}, {8, 3}, SliceRanges{{0, 0}, {8, 3}, {1, 1}}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->factors[0].kind, Kind::parallel);
    EXPECT_EQ(rule->factors[1].kind, Kind::permutation);
}

// The gradient of a max pool of 2 × 2: batch and features are parallel, pooled dimensions need their
// neighbours.
TEST(MovementFactors, OfAWindowSplitsWhatItDoesNotCover) {
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
        EXPECT_EQ(rule->factors[1].kind, Kind::permutation);
        EXPECT_EQ(rule->factors[3].kind, Kind::parallel);
    }
}

// A cache along which tokens are written: each device writes what falls into its part.
TEST(MovementFactors, OfAnUpdateLeaveTheArrayWhereItLies) {
    WrittenProgram p;
    const ValueId cache = p.argument({4, 128, 64});
    const ValueId at = p.argument({});
    const auto rule = rule_of(p, p.operation(Opcode::dynamic_update_slice,
                                             {cache, p.argument({4, 1, 64}), at, at, at}, {4, 128, 64}));
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j, k], [i, l, k], [], [], [])->([i, j, k]) "
              "{i=4, j=128, k=64, l=1} need_replication={l}");
}

// Halves of an array, the other way round: a shift of parts. Of two arrays nobody knows where their parts
// meet.
TEST(MovementFactors, TellARotationFromAConcatenation) {
    WrittenProgram p;
    const ValueId x = p.argument({8});
    const ValueId low = p.operation(Opcode::slice, {x}, {4}, SliceRanges{{0}, {4}, {1}});
    const ValueId high = p.operation(Opcode::slice, {x}, {4}, SliceRanges{{4}, {8}, {1}});
    const auto rotation = rule_of(p, p.operation(Opcode::concatenate, {high, low}, {8}, Dimensions{{0}}));
    EXPECT_EQ(dse::test::text(rotation.value()), "([i], [i])->([i]) {i=8} permutation={i}");
    const auto other =
        rule_of(p, p.operation(Opcode::concatenate, {x, p.argument({4})}, {12}, Dimensions{{0}}));
    EXPECT_EQ(dse::test::text(other.value()), "([i], [i])->([i]) {i=12} need_replication={i}");
}

TEST(MovementFactors, OfASortBlockItsOnlyDimension) {
    WrittenProgram p;
    const auto rows = rule_of(p, p.operation(Opcode::sort, {p.argument({4, 8})}, {4, 8}, Dimensions{{1}}));
    EXPECT_EQ(dse::test::text(rows.value()), "([i, j])->([i, j]) {i=4, j=8} need_replication={j}");
    const auto alone = rule_of(p, p.operation(Opcode::sort, {p.argument({8})}, {8}, Dimensions{{0}}));
    EXPECT_EQ(dse::test::text(alone.value()),
              "([i])->([i]) {i=8} need_replication={i} blocked_propagation={i}");
}

}  // namespace
}  // namespace dse::ir::partition
