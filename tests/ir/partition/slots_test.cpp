#include "ir/partition/slots.hpp"

#include <array>
#include <utility>

#include <gtest/gtest.h>

#include "ir/written_program.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;

TEST(Slots, AreTheLeavesOfValues) {
    WrittenProgram p;
    const ValueId a = p.argument({4});
    Type pair;
    pair.kind = Type::Kind::tuple;
    pair.members = {p.array({2, 2}), p.array({8})};
    const ValueId both = p.builder.argument(p.main, p.program.types.add(pair));
    Type token;
    token.kind = Type::Kind::token;
    const ValueId order = p.builder.argument(p.main, p.program.types.add(token));
    const Slots slots{p.program};
    EXPECT_EQ(slots.size(), 4U);
    EXPECT_EQ(slots.count(a), 1U);
    EXPECT_EQ(slots.count(both), 2U);
    EXPECT_EQ(slots.count(order), 1U);
    EXPECT_EQ(slots.type(slots.of(both, 1)).sizes, Sizes{8});
    EXPECT_EQ(slots.bytes(slots.of(both, 0)), 8);  // 2 × 2 of bf16
}

// Shardings are listed leaf by leaf, tokens among them: the array behind a token is the tuple's second leaf.
TEST(Slots, CountTokensAsTypesDo) {
    WrittenProgram p;
    Type token;
    token.kind = Type::Kind::token;
    Type triple;
    triple.kind = Type::Kind::tuple;
    triple.members = {p.program.types.add(token), p.array({8}), p.array({2, 2})};
    const TypeId type = p.program.types.add(triple);
    const ValueId value = p.builder.argument(p.main, type);
    const Slots slots{p.program};
    EXPECT_EQ(slots.count(value), p.program.types.leaves(type));
    EXPECT_EQ(slots.type(slots.of(value, 0)).kind, Type::Kind::token);
    EXPECT_EQ(slots.type(slots.of(value, 1)).sizes, Sizes{8});
}

// What condition and body of a loop see is what comes out of it.
TEST(Slots, AreSharedByWhatALoopCarries) {
    WrittenProgram p;
    const ValueId start = p.argument({4});
    const ComputationId condition = p.builder.computation("condition");
    const ComputationId body = p.builder.computation("body");
    const ValueId seen = p.builder.argument(condition, p.array({4}));
    const ValueId carried = p.builder.argument(body, p.array({4}));
    const std::array operands{start};
    const std::array results{p.array({4})};
    const std::array called{condition, body};
    const ValueId end = p.builder.value(
        p.main, {.opcode = Opcode::while_loop, .operands = operands, .results = results, .called = called});
    const Slots slots{p.program};
    EXPECT_EQ(slots.of(end), slots.of(carried));
    EXPECT_EQ(slots.of(end), slots.of(seen));
    EXPECT_NE(slots.of(end), slots.of(start));
    EXPECT_FALSE(is_invariant(p.program, *p.program.definition(end), 0));
    // What no iteration changes is what goes in.
    p.builder.results(body, std::array{carried});
    EXPECT_TRUE(is_invariant(p.program, *p.program.definition(end), 0));
    EXPECT_FALSE(is_invariant(p.program, *p.program.definition(end), 1));
    const Slots unchanged{p.program};
    EXPECT_EQ(unchanged.of(end), unchanged.of(start));
}

TEST(Slots, AreSharedByAShardingGroup) {
    WrittenProgram p;
    const ValueId a = p.argument({4});
    const ValueId b = p.argument({4});
    const ValueId other = p.argument({4});
    for (const auto& [value, group] : {std::pair{a, 7}, std::pair{b, 7}, std::pair{other, 8}}) {
        const std::array operands{value};
        p.builder.append(p.main, {.opcode = Opcode::sharding_group,
                                  .operands = operands,
                                  .attribute = p.builder.attribute(Index{group})});
    }
    const Slots slots{p.program};
    EXPECT_EQ(slots.of(a), slots.of(b));
    EXPECT_NE(slots.of(a), slots.of(other));
}

TEST(Slots, OfWhatTheEntryReturnsAreItsOwn) {
    WrittenProgram p;
    const ValueId a = p.argument({4});
    p.returns({a, a});
    const Slots slots{p.program};
    EXPECT_NE(slots.returned(0), slots.of(a));
    EXPECT_NE(slots.returned(0), slots.returned(1));
    EXPECT_EQ(slots.type(slots.returned(1)).sizes, Sizes{4});
}

// ((4, 8), 2): the first element has two leaves.
TEST(FirstLeaf, IsBehindThoseOfTheElementsBefore) {
    WrittenProgram p;
    Type inner;
    inner.kind = Type::Kind::tuple;
    inner.members = {p.array({4}), p.array({8})};
    Type outer;
    outer.kind = Type::Kind::tuple;
    outer.members = {p.program.types.add(inner), p.array({2})};
    const ValueId whole = p.builder.argument(p.main, p.program.types.add(outer));
    const auto leaf = [&](std::int64_t element) {
        return first_leaf(p.program, *p.program.definition(p.operation(Opcode::get_tuple_element, {whole},
                                                                       {2}, Index{element})));
    };
    EXPECT_EQ(leaf(0), 0U);
    EXPECT_EQ(leaf(1), 2U);
    EXPECT_FALSE(leaf(2).has_value());
    EXPECT_FALSE(leaf(-1).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
