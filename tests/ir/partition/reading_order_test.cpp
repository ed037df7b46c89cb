#include "ir/partition/reading_order.hpp"

#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/written_program.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;
using ::testing::ElementsAre;

std::vector<Opcode> opcodes(const Program& program, ComputationId id) {
    std::vector<Opcode> result;
    for (const Operation* operation : reading_order(program, id)) result.push_back(operation->opcode);
    return result;
}

// What the first result needs comes first, although the text makes it last.
TEST(ReadingOrder, FollowsResultsToTheirOperands) {
    WrittenProgram p;
    const ValueId x = p.argument({8});
    const ValueId early = p.operation(Opcode::tanh, {x}, {8});
    const ValueId late = p.operation(Opcode::negate, {x}, {8});
    const ValueId sum = p.operation(Opcode::add, {late, early}, {8});
    p.operation(Opcode::tuple, {sum, early}, {8});
    EXPECT_THAT(opcodes(p.program, p.program.entry),
                ElementsAre(Opcode::negate, Opcode::tanh, Opcode::add, Opcode::tuple));
}

TEST(ReadingOrder, KeepsTheTextsOrderOfWhatNobodyReads) {
    WrittenProgram p;
    const ValueId x = p.argument({8});
    p.operation(Opcode::tanh, {x}, {8});
    const ValueId inner = p.operation(Opcode::negate, {x}, {8});
    p.operation(Opcode::abs, {inner}, {8});
    EXPECT_THAT(opcodes(p.program, p.program.entry), ElementsAre(Opcode::tanh, Opcode::negate, Opcode::abs));
}

// A region of MLIR may read what stands around it: that comes behind the operation's own operands.
TEST(ReadingOrder, CountsWhatRegionsReadAsOperands) {
    WrittenProgram p;
    p.program.language = Language::mlir;
    const ValueId x = p.argument({8});
    const ValueId captured = p.operation(Opcode::tanh, {x}, {8});
    const ValueId carried = p.operation(Opcode::negate, {x}, {8});
    const ComputationId body = p.builder.computation("body");
    const ValueId inside = p.builder.argument(body, p.array({8}));
    const std::array read{inside, captured};
    const std::array results{p.array({8})};
    p.builder.value(body, {.opcode = Opcode::add, .operands = read, .results = results});
    const std::array operands{carried};
    const std::array called{body};
    p.builder.value(
        p.main, {.opcode = Opcode::while_loop, .operands = operands, .results = results, .called = called});
    EXPECT_THAT(opcodes(p.program, p.main), ElementsAre(Opcode::negate, Opcode::tanh, Opcode::while_loop));
    EXPECT_THAT(opcodes(p.program, body), ElementsAre(Opcode::add));
}

}  // namespace
}  // namespace dse::ir::partition
