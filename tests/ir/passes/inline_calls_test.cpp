// Also tests: passes/program_copy.cpp
#include "dse/ir/passes/inline_calls.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/ir/cost/program_cost.hpp"
#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

using test::ProgramMaker;

// main: twice(twice(x)), where twice(x) calls once(x) = x + x.
struct Nested {
    ProgramMaker maker;
    Nested() {
        const auto type = maker.bf16({4});
        const auto once = maker.open("once");
        const auto x = maker.argument(type);
        maker.results({maker.op(Opcode::add, type, {x, x})});
        const auto twice = maker.open("twice");
        const auto y = maker.argument(type);
        maker.results({maker.op(Opcode::call, type, {y}, {}, {once})});
        maker.open_entry();
        const auto a = maker.argument(type);
        const auto b = maker.op(Opcode::call, type, {a}, {}, {twice});
        maker.results({maker.op(Opcode::call, type, {b}, {}, {twice})});
    }
};

TEST(InlineCalls, PutsBodiesInThePlaceOfCalls) {
    const Nested nested;
    const Program result = inline_calls(nested.maker.program);
    validate(result);
    EXPECT_EQ(result.computations.size(), 1);
    const Computation& entry = result[result.entry];
    ASSERT_EQ(entry.operations.size(), 2);
    EXPECT_EQ(result.operands(entry.operations[0])[0], entry.arguments.front());
    EXPECT_EQ(result.operands(entry.operations[1])[0], Program::result(entry.operations[0]));
    EXPECT_EQ(entry.results.front(), Program::result(entry.operations[1]));
}

// Sixty functions, each of which calls the one before it twice: 2^60 operations.
TEST(InlineCalls, RefusesWhatFitsNoMemory) {
    ProgramMaker maker;
    const auto type = maker.bf16({4});
    auto before = maker.open("f0");
    const auto first = maker.argument(type);
    maker.results({maker.op(Opcode::negate, type, {first})});
    for (int i = 1; i <= 60; ++i) {
        const auto function = maker.open("f");
        const auto x = maker.argument(type);
        const auto once = maker.op(Opcode::call, type, {x}, {}, {before});
        maker.results({maker.op(Opcode::call, type, {once}, {}, {before})});
        before = function;
    }
    maker.open_entry();
    const auto a = maker.argument(type);
    maker.results({maker.op(Opcode::call, type, {a}, {}, {before})});
    EXPECT_THROW(inline_calls(maker.program), ModelError);
}

TEST(InlineCalls, RefusesACallThatDoesNotFitItsFunction) {
    ProgramMaker maker;
    const auto type = maker.bf16({4});
    const auto function = maker.open("f");
    const auto x = maker.argument(type);
    maker.op(Opcode::negate, type, {x});
    maker.results({});
    maker.open_entry();
    const auto a = maker.argument(type);
    maker.results({maker.op(Opcode::call, type, {a}, {}, {function})});
    EXPECT_THROW(inline_calls(maker.program), ModelError);
}

// Of a function that is only declared nothing is known: its call stays.
TEST(InlineCalls, KeepsCallsOfDeclarations) {
    ProgramMaker maker;
    const auto type = maker.bf16({4});
    const auto function = maker.open("f");
    maker.argument(type);
    maker.open_entry();
    const auto a = maker.argument(type);
    maker.results({maker.op(Opcode::call, type, {a}, {}, {function})});
    const Program result = inline_calls(maker.program);
    validate(result);
    EXPECT_EQ(result[result.entry].operations.size(), 1);
}

TEST(InlineCalls, KeepsTheCost) {
    const Nested nested;
    EXPECT_EQ(program_cost(inline_calls(nested.maker.program)).by_trips.flops,
              program_cost(nested.maker.program).by_trips.flops);
}

TEST(InlineCalls, RegionsMaySeeWhatStandsAroundTheirCall) {
    // A function with a loop whose body reads the function's argument, called twice.
    ProgramMaker maker;
    maker.program.language = Language::mlir;
    const auto type = maker.bf16({4});
    const auto function = maker.open("function");
    const auto x = maker.argument(type);
    const auto condition = maker.open("");
    maker.argument(type);
    maker.results({});
    const auto body = maker.open("");
    const auto carried = maker.argument(type);
    maker.results({maker.op(Opcode::add, type, {carried, x})});
    maker.current = function;
    maker.results({maker.op(Opcode::while_loop, type, {x}, Loop{3}, {condition, body})});
    maker.open_entry();
    const auto a = maker.argument(type);
    const auto b = maker.op(Opcode::call, type, {a}, {}, {function});
    maker.results({maker.op(Opcode::call, type, {b}, {}, {function})});
    const Program result = inline_calls(maker.program);
    validate(result);
    const auto& operations = result[result.entry].operations;
    ASSERT_EQ(operations.size(), 2);
    const auto read = [&](const Operation& loop) {
        const Computation& inner = result[result.called(loop)[1]];
        return result.operands(inner.operations.front())[1];
    };
    EXPECT_EQ(read(operations[0]), result[result.entry].arguments.front());
    EXPECT_EQ(read(operations[1]), Program::result(operations[0]));
}

}  // namespace
}  // namespace dse::ir
