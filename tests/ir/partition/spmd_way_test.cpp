#include "ir/partition/spmd_way.hpp"

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::ShardedProgram;

// The way of the last operation, of which all arrays lie on their first dimension.
std::optional<Way> way_of(ShardedProgram& p) {
    const Operation& operation = p.program[p.main].operations.back();
    const Slots slots{p.program};
    const auto found = relations(p.program, slots);
    const Relation& relation = found.back();
    std::vector<Layout> layouts;
    for (const SlotId slot : relation.tensors) {
        layouts.emplace_back(slots.type(slot).sizes.size());
        if (!layouts.back().empty()) layouts.back()[0] = {data};
    }
    std::vector<const Layout*> pointers;
    for (const Layout& layout : layouts) pointers.push_back(&layout);
    return SpmdWays{p.program, slots, {data}}.of(operation, relation, pointers);
}

// A product's is that of its kind: by rows, whatever it costs to gather the other operand.
TEST(SpmdWay, OfProductsMatchesDimensions) {
    ShardedProgram p;
    p.product(p.argument({4, 4096}), p.argument({4096, 4096}));
    const auto way = way_of(p);
    ASSERT_TRUE(way.has_value());
    EXPECT_EQ(way->axes[0], Axes{data});
}

TEST(SpmdWay, OfLookupsNeedsTheLeastMemory) {
    ShardedProgram p;
    GatherDimensions rows;
    rows.offset = {1};
    rows.collapsed = {0};
    rows.start_index_map = {0};
    rows.index_vector = 1;
    rows.slice_sizes = {1, 32};
    p.operation(Opcode::gather, {p.argument({64, 32}), p.argument({16, 1})}, {16, 32}, rows);
    const auto way = way_of(p);
    ASSERT_TRUE(way.has_value());
    EXPECT_FALSE(way->stops.empty());
}

TEST(SpmdWay, OfMovementIsTheResults) {
    ShardedProgram p;
    p.operation(Opcode::transpose, {p.argument({16, 16})}, {16, 16}, Dimensions{{1, 0}});
    const auto way = way_of(p);
    ASSERT_TRUE(way.has_value());
    EXPECT_EQ(way->axes, (std::vector<Axes>{{data}, {}}));
}

TEST(SpmdWay, IsNotKnownOfOtherOperations) {
    ShardedProgram p;
    p.operation(Opcode::reverse, {p.argument({16, 16})}, {16, 16}, Dimensions{{1}});
    EXPECT_FALSE(way_of(p).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
