#include "ir/partition/relations.hpp"

#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/written_program.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;
using testing::ElementsAre;

// A loop's result, which its body sees, is what goes in or what the body returns.
TEST(Relations, TieWhatALoopCarries) {
    WrittenProgram p;
    const ValueId start = p.argument({4});
    const ComputationId condition = p.builder.computation("condition");
    const ComputationId body = p.builder.computation("body");
    const ValueId seen = p.builder.argument(condition, p.array({4}));
    const ValueId carried = p.builder.argument(body, p.array({4}));
    const std::array read{carried};
    const std::array results{p.array({4})};
    const ValueId next =
        p.builder.value(body, {.opcode = Opcode::tanh, .operands = read, .results = results});
    p.builder.results(body, std::array{next});
    const std::array operands{start};
    const std::array called{condition, body};
    const ValueId end = p.builder.value(
        p.main, {.opcode = Opcode::while_loop, .operands = operands, .results = results, .called = called});
    const Slots slots{p.program};
    const auto found = relations(p.program, slots);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(found[0].tensors, ElementsAre(slots.of(carried), slots.of(next)));
    EXPECT_THAT(found[1].tensors, ElementsAre(slots.of(start), slots.of(next), slots.of(end)));
    EXPECT_EQ(found[1].rule().operands.size(), 2U);
    EXPECT_EQ(slots.of(seen), slots.of(end));
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

TEST(Relations, SayWhetherOthersReadAnOperandToo) {
    WrittenProgram p;
    const ValueId matrix = p.argument({4, 4});
    const ValueId scalar = p.argument({});
    p.operation(Opcode::negate, {matrix}, {4, 4});
    p.operation(Opcode::negate, {scalar}, {});
    p.operation(Opcode::negate, {scalar}, {});
    const Slots slots{p.program};
    for (const Relation& relation : relations(p.program, slots)) EXPECT_FALSE(relation.shares_operands);
    p.operation(Opcode::tanh, {matrix}, {4, 4});
    const Slots more{p.program};
    EXPECT_TRUE(relations(p.program, more)[0].shares_operands);
}

// A loop that hands it on as it is reads nothing: one operation in its body does, and none behind it.
TEST(Relations, CountNoReaderThatChangesNothing) {
    WrittenProgram p;
    const ValueId matrix = p.argument({4, 4});
    const ComputationId condition = p.builder.computation("condition");
    const ComputationId body = p.builder.computation("body");
    p.builder.argument(condition, p.array({4, 4}));
    const std::array carried{p.builder.argument(body, p.array({4, 4}))};
    const std::array results{p.array({4, 4})};
    p.builder.value(body, {.opcode = Opcode::tanh, .operands = carried, .results = results});
    p.builder.results(body, carried);
    const std::array operands{matrix};
    const std::array called{condition, body};
    const ValueId end = p.builder.value(
        p.main, {.opcode = Opcode::while_loop, .operands = operands, .results = results, .called = called});
    const auto shares = [&p] {
        const Slots slots{p.program};
        const auto found = relations(p.program, slots);
        return std::any_of(found.begin(), found.end(),
                           [](const Relation& relation) { return relation.shares_operands; });
    };
    EXPECT_FALSE(shares());
    p.operation(Opcode::negate, {end}, {4, 4});
    EXPECT_TRUE(shares());
}

// Only what is repeated waits for what it meets.
TEST(Relations, TakeABroadcastThatRepeatsNothingForAReshape) {
    WrittenProgram p;
    const ValueId x = p.argument({4, 8});
    p.operation(Opcode::broadcast, {x}, {1, 4, 8}, Dimensions{{1, 2}});
    p.operation(Opcode::broadcast, {x}, {2, 4, 8}, Dimensions{{1, 2}});
    const Slots slots{p.program};
    const auto found = relations(p.program, slots);
    EXPECT_EQ(found[0].passage, Passage::through);
    EXPECT_EQ(found[1].passage, Passage::repeats);
}

TEST(PassageOf, TellsWhatLeavesElementsInTheirPlaces) {
    EXPECT_EQ(passage_of(Opcode::add), Passage::elementwise);
    EXPECT_EQ(passage_of(Opcode::sharding_constraint), Passage::elementwise);
    EXPECT_EQ(passage_of(Opcode::reshape), Passage::through);
    EXPECT_EQ(passage_of(Opcode::data_flow_edge), Passage::through);
    EXPECT_EQ(passage_of(Opcode::dynamic_slice), Passage::slides);
    EXPECT_EQ(passage_of(Opcode::dot), Passage::other);
    EXPECT_EQ(passage_of(Opcode::gather), Passage::other);
    EXPECT_EQ(passage_of(Opcode::broadcast), Passage::repeats);
}

}  // namespace
}  // namespace dse::ir::partition
