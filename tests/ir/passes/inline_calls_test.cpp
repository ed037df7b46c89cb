// Also tests: passes/program_copy.cpp
#include "dse/ir/passes/inline_calls.hpp"

#include <gtest/gtest.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/program/program_error.hpp"
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

TEST(HasCalls, KnowsWhatInliningReplaces) {
    const Nested nested;
    EXPECT_TRUE(has_calls(nested.maker.program, Inlined::functions));
    EXPECT_FALSE(has_calls(inline_calls(nested.maker.program)));
}

/// The line for which a program is refused; 0: it is not.
std::uint32_t refused_line(const Program& program) {
    try {
        inline_calls(program);
    } catch (const ProgramError& error) {
        return error.line();
    }
    return 0;
}

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

// JAX names the operations of a function relative to its calls, older versions from the start.
TEST(InlineCalls, LabelsOfMlirArePathsThroughTheCalls) {
    Nested nested;
    Program& program = nested.maker.program;
    ProgramBuilder builder{program};
    std::vector<Operation>& entry = program.computations[program.entry.index()].operations;
    program.computations[0].operations[0].label = builder.name("add");
    program.computations[1].operations[0].label = builder.name("closed_call");
    entry[0].label = builder.name("jit(f)/while");
    entry[1].label = builder.name("add/jit(f)");
    program.language = Language::mlir;
    const auto labels = [&] {
        const Program result = inline_calls(program);
        std::vector<std::string> texts;
        for (const Operation& operation : result[result.entry].operations)
            texts.emplace_back(result.text(operation.label));
        return texts;
    };
    EXPECT_EQ(labels(),
              (std::vector<std::string>{"jit(f)/while/closed_call/add", "add/jit(f)/closed_call/add"}));
    program.computations[0].operations[0].label = builder.name("jit(f)/while/add");
    EXPECT_EQ(labels().front(), "jit(f)/while/add");
    program.language = Language::hlo;
    program.computations[0].operations[0].label = builder.name("add.3");
    EXPECT_EQ(labels(), (std::vector<std::string>{"add.3", "add.3"}))
        << "instructions have names of their own";
}

// What the border of a call states of layouts would be lost with the call.
TEST(InlineCalls, LeavesFunctionsThatStateShardings) {
    Nested nested;
    Program& program = nested.maker.program;
    EXPECT_EQ(inline_calls(program, Inlined::functions).computations.size(), 1);
    const ShardingId sharding = ProgramBuilder{program}.sharding({Sharding{}});
    program.computations[1].result_shardings = {sharding};  // of twice
    const Program result = inline_calls(program, Inlined::functions);
    validate(result);
    const Computation& entry = result[result.entry];
    ASSERT_EQ(entry.operations.size(), 2);
    for (const Operation& operation : entry.operations) {
        ASSERT_EQ(operation.opcode, Opcode::call);
        const Computation& twice = result[result.called(operation).front()];
        EXPECT_EQ(twice.result_shardings, std::vector{sharding});
        ASSERT_EQ(twice.operations.size(), 1);
        EXPECT_EQ(twice.operations[0].opcode, Opcode::add);
    }
}

TEST(InlineCalls, KeepsWhatValuesStateOfTheirLayout) {
    ProgramMaker maker;
    const auto type = maker.bf16({4});
    maker.open_entry();
    const ValueId sum = maker.op(Opcode::negate, type, {maker.argument(type)});
    maker.results({sum});
    const ShardingId sharding = ProgramBuilder{maker.program}.sharding({Sharding{}});
    maker.program.values[sum.index()].sharding = sharding;
    const Program result = inline_calls(maker.program);
    EXPECT_EQ(result[result[result.entry].results.front()].sharding, sharding);
}

TEST(InlineCalls, LeavesCompositesWhereOnlyFunctionsAreInlined) {
    Nested nested;
    for (Operation& operation : nested.maker.program.computations.back().operations)
        operation.opcode = Opcode::composite;
    const Program result = inline_calls(nested.maker.program, Inlined::functions);
    ASSERT_EQ(result[result.entry].operations.size(), 2);
    EXPECT_EQ(result[result.entry].operations[0].opcode, Opcode::composite);
    EXPECT_EQ(inline_calls(nested.maker.program).computations.size(), 1);
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
    // What is too many is f0's negation, of line 1.
    EXPECT_EQ(refused_line(maker.program), 1);
}

// Three thousand functions, each of which calls the one before it.
TEST(InlineCalls, RefusesCallsThatAreNestedTooDeeply) {
    ProgramMaker maker;
    const auto type = maker.bf16({4});
    auto before = maker.open("f0");
    const auto first = maker.argument(type);
    maker.results({maker.op(Opcode::negate, type, {first})});
    for (int i = 1; i <= 3000; ++i) {
        const auto function = maker.open("f");
        const auto x = maker.argument(type);
        maker.results({maker.op(Opcode::call, type, {x}, {}, {before})});
        before = function;
    }
    maker.open_entry();
    const auto a = maker.argument(type);
    maker.results({maker.op(Opcode::call, type, {a}, {}, {before})});
    // The entry's call, of line 3002, is the first; the 2001st is that of line 1002.
    EXPECT_EQ(refused_line(maker.program), 1002);
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
    EXPECT_EQ(refused_line(maker.program), 2);
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

// Its decomposition only says what the kernel computes.
TEST(InlineCalls, MakesACallOfAnAttentionComposite) {
    ProgramMaker maker;
    const auto type = maker.bf16({2, 8, 4, 16});
    const auto decomposition = maker.open("decomposition");
    maker.results({maker.op(Opcode::add, type, {maker.argument(type), maker.argument(type)})});
    maker.open_entry();
    const auto x = maker.argument(type);
    const ForeignCall target{maker.builder.name("dse.flash_attention"), no_name};
    maker.results({maker.op(Opcode::composite, type, {x, x}, target, {decomposition})});
    for (const Inlined which : {Inlined::everything, Inlined::functions}) {
        const Program result = inline_calls(maker.program, which);
        validate(result);
        ASSERT_EQ(result.computations.size(), 1);
        ASSERT_EQ(result[result.entry].operations.size(), 1);
        EXPECT_EQ(result[result.entry].operations[0].opcode, Opcode::custom_call);
        EXPECT_TRUE(result.called(result[result.entry].operations[0]).empty());
    }
}

}  // namespace
}  // namespace dse::ir
