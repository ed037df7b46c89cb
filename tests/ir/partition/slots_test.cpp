#include "ir/partition/slots.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/written_program.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;
using testing::ElementsAre;

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
    EXPECT_EQ(slots.size(), 3U);
    EXPECT_EQ(slots.count(a), 1U);
    EXPECT_EQ(slots.count(both), 2U);
    EXPECT_EQ(slots.count(order), 0U);
    EXPECT_EQ(slots.type(slots.of(both, 1)).sizes, Sizes{8});
    EXPECT_EQ(slots.bytes(slots.of(both, 0)), 8);  // 2 × 2 of bf16
}

// Operand, argument of condition and body, result of body and loop are one value.
TEST(Relations, TieWhatALoopCarries) {
    WrittenProgram p;
    const ValueId start = p.argument({4});
    const ComputationId condition = p.builder.computation("condition");
    const ComputationId body = p.builder.computation("body");
    const ValueId seen = p.builder.argument(condition, p.array({4}));
    const ValueId carried = p.builder.argument(body, p.array({4}));
    p.builder.results(body, std::array{carried});
    const std::array operands{start};
    const std::array results{p.array({4})};
    const std::array called{condition, body};
    const ValueId end = p.builder.value(
        p.main, {.opcode = Opcode::while_loop, .operands = operands, .results = results, .called = called});
    const Slots slots{p.program};
    const auto found = relations(p.program, slots);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].tensors, ElementsAre(slots.of(start), slots.of(end), slots.of(seen),
                                              slots.of(carried), slots.of(carried)));
}

TEST(Relations, TieElementsOfTuplesToTheirLeaves) {
    WrittenProgram p;
    const ValueId a = p.argument({4});
    const ValueId b = p.argument({8});
    Type pair;
    pair.kind = Type::Kind::tuple;
    pair.members = {p.array({4}), p.array({8})};
    const std::array operands{a, b};
    const std::array results{p.program.types.add(pair)};
    const ValueId both =
        p.builder.value(p.main, {.opcode = Opcode::tuple, .operands = operands, .results = results});
    const ValueId second = p.operation(Opcode::get_tuple_element, {both}, {8}, Index{1});
    const Slots slots{p.program};
    const auto found = relations(p.program, slots);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_THAT(found[1].tensors, ElementsAre(slots.of(b), slots.of(both, 1)));
    EXPECT_THAT(found[2].tensors, ElementsAre(slots.of(both, 1), slots.of(second)));
}

}  // namespace
}  // namespace dse::ir::partition
