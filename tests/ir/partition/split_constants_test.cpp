#include "ir/partition/split_constants.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "ir/written_program.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;

std::size_t count(const Program& program, Opcode opcode) {
    std::size_t result = 0;
    for (const Operation& operation : program[program.entry].operations)
        result += operation.opcode == opcode ? 1 : 0;
    return result;
}

TEST(SplitConstants, GivesEachReaderItsOwn) {
    WrittenProgram p;
    const ValueId x = p.argument({8});
    const ValueId ones = p.operation(Opcode::constant, {}, {8});
    const ValueId once = p.operation(Opcode::add, {x, ones}, {8});
    p.returns({p.operation(Opcode::add, {once, ones}, {8})});
    const SplitConstants split = split_constants(p.program);
    validate(split.program);
    const auto& operations = split.program[split.program.entry].operations;
    ASSERT_EQ(operations.size(), 4U);
    const ValueId first = split.program.operands(operations[1])[1];
    const ValueId second = split.program.operands(operations[3])[1];
    EXPECT_NE(first, second);
    EXPECT_EQ(split.program.definition(first)->line, split.program.definition(second)->line);
    // Both are of one constant; what is no constant is of none.
    EXPECT_EQ(split.origins[first.index()], first);
    EXPECT_EQ(split.origins[second.index()], first);
    EXPECT_FALSE(split.origins[Program::result(operations[1]).index()].has_value());
}

// Whatever it takes to make it: 1, 2, 3, … times a constant, and a number that is repeated.
TEST(SplitConstants, CopiesWhatIsMadeOfConstants) {
    WrittenProgram p;
    const ValueId x = p.argument({8});
    const ValueId scaled = p.operation(
        Opcode::multiply, {p.operation(Opcode::iota, {}, {8}), p.operation(Opcode::constant, {}, {8})}, {8});
    const ValueId number = p.operation(Opcode::reduce, {x}, {}, Dimensions{{0}});
    const ValueId repeated = p.operation(Opcode::broadcast, {number}, {8}, Dimensions{});
    const ValueId a = p.operation(Opcode::subtract, {scaled, repeated}, {8});
    p.returns({p.operation(Opcode::subtract, {a, p.operation(Opcode::add, {scaled, repeated}, {8})}, {8})});
    const Program program = split_constants(p.program).program;
    validate(program);
    EXPECT_EQ(count(program, Opcode::iota), 2U);
    EXPECT_EQ(count(program, Opcode::constant), 2U);
    EXPECT_EQ(count(program, Opcode::multiply), 2U);
    EXPECT_EQ(count(program, Opcode::broadcast), 2U);
    EXPECT_EQ(count(program, Opcode::reduce), 1U);
}

// Numbers lie in one way only; an operation that reads a constant twice reads one.
TEST(SplitConstants, KeepsWhatNeedsNoCopy) {
    WrittenProgram p;
    const ValueId x = p.argument({});
    const ValueId one = p.operation(Opcode::constant, {}, {});
    const ValueId ones = p.operation(Opcode::constant, {}, {8});
    const ValueId two = p.operation(Opcode::add, {p.operation(Opcode::add, {x, one}, {}), one}, {});
    p.returns({two, p.operation(Opcode::add, {ones, ones}, {8})});
    const Program program = split_constants(p.program).program;
    EXPECT_EQ(count(program, Opcode::constant), 2U);
}

// A loop that hands a constant on as it is: who reads it in the body has a copy of it, as has who reads it
// behind the loop.
TEST(SplitConstants, FollowsConstantsThatLoopsCarry) {
    WrittenProgram p;
    const ValueId x = p.argument({8});
    const ValueId ones = p.operation(Opcode::constant, {}, {8});
    const ComputationId condition = p.builder.computation("condition");
    const ComputationId body = p.builder.computation("body");
    for (const ComputationId region : {condition, body})
        for (int i = 0; i < 2; ++i) p.builder.argument(region, p.array({8}));
    const std::vector<ValueId> inside = p.program[body].arguments;
    const std::array results{p.array({8}), p.array({8})};
    const std::array one{p.array({8})};
    const std::array read{inside[0], inside[1]};
    const ValueId sum = p.builder.value(body, {.opcode = Opcode::add, .operands = read, .results = one});
    p.builder.results(body, std::array{sum, inside[1]});
    const std::array operands{x, ones};
    const std::array called{condition, body};
    const Operation& loop = p.builder.append(
        p.main, {.opcode = Opcode::while_loop, .operands = operands, .results = results, .called = called});
    const ValueId last{loop.results.first};
    const ValueId behind{loop.results.first + 1};
    p.returns({p.operation(Opcode::multiply, {last, behind}, {8})});

    const Program program = split_constants(p.program).program;
    validate(program);
    EXPECT_EQ(count(program, Opcode::constant), 3U);  // for the body, for the loop, and for what is behind it
    int readers = 0;
    for (const Computation& computation : program.computations) {
        for (const Operation& operation : computation.operations) {
            if (operation.opcode != Opcode::add && operation.opcode != Opcode::multiply) continue;
            EXPECT_EQ(program.definition(program.operands(operation)[1])->opcode, Opcode::constant);
            ++readers;
        }
        if (computation.results.size() == 2) {
            EXPECT_EQ(computation.results[1], computation.arguments[1]);
        }
    }
    EXPECT_EQ(readers, 2);
}

TEST(SplitConstants, ReturnsConstants) {
    WrittenProgram p;
    const ValueId ones = p.operation(Opcode::constant, {}, {8});
    p.returns({ones, ones});
    const Program program = split_constants(p.program).program;
    validate(program);
    EXPECT_EQ(program[program.entry].results.size(), 2U);
    EXPECT_EQ(count(program, Opcode::constant), 1U);
}

}  // namespace
}  // namespace dse::ir::partition
