#include "ir/partition/movement_way.hpp"

#include <gtest/gtest.h>

#include "ir/partition/projection.hpp"
#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

struct Movement : ShardedProgram {
    // Where the operation that makes a value has its first operand, or its result, when it is computed.
    Layout at(ValueId result, const std::vector<Layout>& layouts, bool of_result) {
        const Slots slots{program};
        const Operation& operation = *program.definition(result);
        std::vector<const Layout*> pointers;
        for (const Layout& layout : layouts) pointers.push_back(&layout);
        for (const Relation& relation : relations(program, slots)) {
            if (!relation.made || *relation.made != result) continue;
            const auto way = movement_way(program, operation, relation, pointers);
            if (!way) break;
            return layout_of(relation.rule(),
                             relation.factors(of_result ? relation.rule().operands.size() : 0), way->axes);
        }
        ADD_FAILURE() << "no way";
        return {};
    }
    Layout operand_at(ValueId result, const std::vector<Layout>& layouts) {
        return at(result, layouts, false);
    }
    Layout result_at(ValueId result, const std::vector<Layout>& layouts) { return at(result, layouts, true); }
};

const Layout whole{{}, {}};
const Layout rows{{data}, {}};
const Layout columns{{}, {data}};

TEST(MovementWay, OfTransposesIsTheResultsAndOfReductionsTheOperands) {
    Movement p;
    const ValueId x = p.argument({16, 16});
    EXPECT_EQ(p.operand_at(p.operation(Opcode::transpose, {x}, {16, 16}, Dimensions{{1, 0}}), {rows, rows}),
              columns);
    const ValueId number = p.argument({});
    EXPECT_EQ(
        p.operand_at(p.operation(Opcode::reduce, {x, number}, {16}, Dimensions{{1}}), {columns, {}, {{}}}),
        columns);
}

// Two operands that lie alike are not moved for the result; of two that do not, both are.
TEST(MovementWay, OfElementwiseWorkIsThatOfOperandsThatAgree) {
    Movement p;
    const ValueId sum = p.operation(Opcode::add, {p.argument({16, 16}), p.argument({16, 16})}, {16, 16});
    EXPECT_EQ(p.result_at(sum, {rows, rows, columns}), rows);
    EXPECT_EQ(p.result_at(sum, {rows, whole, columns}), columns);
    EXPECT_EQ(p.result_at(p.operation(Opcode::tanh, {sum}, {16, 16}), {rows, columns}), columns);
}

// Heads are the major factor of the features, 8 of 8.
TEST(MovementWay, OfReshapesPassesAxesOnAsFarAsTheOtherSideHasThem) {
    Movement p;
    const ValueId heads = p.operation(Opcode::reshape, {p.argument({16, 64})}, {16, 8, 8});
    EXPECT_EQ(p.operand_at(heads, {whole, {{}, {data}, {}}}), columns);
    // What lies along the inner factor has no place in the product: by the operand's axes then.
    EXPECT_EQ(p.result_at(heads, {columns, {{}, {}, {data}}}), (Layout{{}, {data}, {}}));
}

// What is joined along lies whole, and its axes cut the rows instead.
TEST(MovementWay, OfConcatenationsMovesAxesToAnotherDimension) {
    Movement p;
    const ValueId a = p.argument({16, 8});
    const ValueId joined =
        p.operation(Opcode::concatenate, {a, p.argument({16, 24})}, {16, 32}, Dimensions{{1}});
    EXPECT_EQ(p.operand_at(joined, {columns, columns, columns}), rows);
    const ValueId few =
        p.operation(Opcode::concatenate, {p.argument({2, 8}), p.argument({2, 24})}, {2, 32}, Dimensions{{1}});
    EXPECT_EQ(p.operand_at(few, {columns, columns, columns}), whole) << "four do not divide two rows";
}

TEST(MovementWay, OfSlicesExchangesHalos) {
    Movement p;
    const ValueId slice =
        p.operation(Opcode::slice, {p.argument({16, 16})}, {16, 12}, SliceRanges{{0, 1}, {16, 13}, {1, 1}});
    EXPECT_EQ(p.result_at(slice, {columns, columns}), columns);
    EXPECT_EQ(p.result_at(slice, {rows, whole}), rows) << "more parts than the result's";
}

TEST(MovementWay, OfPaddingIsLocalWhereItsDimensionLiesWhole) {
    Movement p;
    const ValueId padded = p.operation(Opcode::pad, {p.argument({16, 16}), p.argument({})}, {16, 20},
                                       PadSizes{{0, 2}, {0, 2}, {0, 0}});
    EXPECT_EQ(p.result_at(padded, {columns, {}, columns}), columns);
    EXPECT_EQ(p.result_at(padded, {rows, {}, {{data}, {model}}}), rows);
    EXPECT_EQ(p.result_at(padded, {whole, {}, columns}), whole);
}

// A cache of 16 positions: one position of it is written where it lies, four are written into the whole.
TEST(MovementWay, OfUpdatesKeepsSingleElementsInPlace) {
    Movement p;
    const ValueId cache = p.argument({16, 8});
    const ValueId number = p.argument({});
    const auto updated = [&](std::int64_t count) {
        return p.operation(Opcode::dynamic_update_slice, {cache, p.argument({count, 8}), number, number},
                           {16, 8});
    };
    EXPECT_EQ(p.result_at(updated(1), {rows, whole, {}, {}, rows}), rows);
    EXPECT_EQ(p.result_at(updated(4), {rows, whole, {}, {}, rows}), whole);
    EXPECT_EQ(p.result_at(updated(4), {columns, whole, {}, {}, columns}), columns);
}

// What is sliced dynamically lies whole along that dimension; a result that is to be cut along it is not.
TEST(MovementWay, OfDynamicSlicesIsWholeWhereTheResultIsCutAlongTheSlice) {
    Movement p;
    const ValueId number = p.argument({});
    const ValueId slice =
        p.operation(Opcode::dynamic_slice, {p.argument({16, 8}), number, number}, {4, 8}, SliceSizes{{4, 8}});
    EXPECT_EQ(p.operand_at(slice, {columns, {}, {}, columns}), columns);
    EXPECT_EQ(p.operand_at(slice, {columns, {}, {}, rows}), whole);
}

TEST(MovementWay, IsNoneOfOtherOperations) {
    Movement p;
    const ValueId product = p.product(p.argument({16, 16}), p.argument({16, 16}));
    const Slots slots{p.program};
    EXPECT_FALSE(movement_way(p.program, *p.program.definition(product), relations(p.program, slots).front(),
                              {&rows, &rows, &rows})
                     .has_value());
}

}  // namespace
}  // namespace dse::ir::partition
