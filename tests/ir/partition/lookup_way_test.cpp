#include "ir/partition/lookup_way.hpp"

#include <gtest/gtest.h>

#include "ir/partition/projection.hpp"
#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

// Where each array of a lookup lies when it is computed: a table of 64 rows, 16 of them looked up.
struct Lookup {
    Layout table;
    Layout indices;
    Layout rows;

    Lookup(const Layout& of_table, const Layout& of_indices, const Layout& of_rows, const Axes& mesh,
           std::int64_t width = 32) {
        ShardedProgram p;
        GatherDimensions numbers;
        numbers.offset = {1};
        numbers.collapsed = {0};
        numbers.start_index_map = {0};
        numbers.index_vector = 1;
        numbers.slice_sizes = {1, width};
        p.operation(Opcode::gather, {p.argument({64, width}), p.argument({16, 1})}, {16, width}, numbers);
        const Slots slots{p.program};
        const Relation relation = relations(p.program, slots).front();
        const auto way = lookup_way(relation, slots, {&of_table, &of_indices, &of_rows}, mesh);
        if (!way) {
            ADD_FAILURE() << "no way";
            return;
        }
        table = layout_of(relation.rule(), relation.rule().operands[0], way->axes);
        indices = layout_of(relation.rule(), relation.rule().operands[1], way->axes);
        rows = layout_of(relation.rule(), relation.rule().results[0], way->axes);
    }
};

// A vocabulary on one axis, tokens on the other: each device looks up its tokens in what it has.
TEST(LookupWay, TakesOneDimensionAfterTheOther) {
    const Lookup way{{{model}, {}}, {{data}, {}}, {{data}, {}}, {data, model}};
    EXPECT_EQ(way.table, (Layout{{model}, {}}));
    EXPECT_EQ(way.indices, (Layout{{data}, {}}));
    EXPECT_EQ(way.rows, (Layout{{data}, {}}));
}

// Both on one axis. The table is 4,096 bytes and the rows 1,024: whole tables need more memory than whole
// rows.
TEST(LookupWay, NeedsTheLeastMemory) {
    const Lookup way{{{data}, {}}, {{data}, {}}, {{data}, {}}, {data}};
    EXPECT_EQ(way.table, (Layout{{data}, {}}));
    EXPECT_EQ(way.indices, (Layout{{}, {}}));
    EXPECT_EQ(way.rows, (Layout{{}, {}}));
}

// Columns of the table are columns of the rows.
TEST(LookupWay, KeepsWhatTableAndRowsShare) {
    const Lookup way{{{}, {data}}, {{}, {}}, {{}, {data}}, {data}};
    EXPECT_EQ(way.table, (Layout{{}, {data}}));
    EXPECT_EQ(way.rows, (Layout{{}, {data}}));
}

// Indices that are cut along one axis are cut along both where the rows are to be.
TEST(LookupWay, CutsIndicesFurther) {
    const Lookup way{{{}, {}}, {{data}, {}}, {{data, model}, {}}, {data, model}};
    EXPECT_EQ(way.indices, (Layout{{data, model}, {}}));
}

// Rows added into a table, which lies on the same axis as they: nothing but the rows' columns is shared.
TEST(LookupWay, OfScattersBeginsWithTheTable) {
    ShardedProgram p;
    ScatterDimensions numbers;
    numbers.update_window = {1};
    numbers.inserted_window = {0};
    numbers.scatter_to_operand = {0};
    numbers.index_vector = 1;
    p.operation(Opcode::scatter, {p.argument({64, 32}), p.argument({16, 1}), p.argument({16, 32})}, {64, 32},
                numbers);
    const Slots slots{p.program};
    const Relation relation = relations(p.program, slots).front();
    const Layout whole{{}, {}};
    const Layout columns{{}, {data}};
    const auto way = lookup_way(relation, slots, {&columns, &whole, &columns, &columns}, {data});
    ASSERT_TRUE(way.has_value());
    EXPECT_EQ(layout_of(relation.rule(), relation.rule().results[0], way->axes), columns);
    EXPECT_EQ(layout_of(relation.rule(), relation.rule().operands[2], way->axes), columns);
}

TEST(LookupWay, IsNoneOfOtherOperations) {
    ShardedProgram p;
    const ValueId x = p.argument({16});
    p.operation(Opcode::tanh, {x}, {16});
    const Slots slots{p.program};
    const Layout cut{{data}};
    EXPECT_FALSE(lookup_way(relations(p.program, slots).front(), slots, {&cut, &cut}, {data}).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
