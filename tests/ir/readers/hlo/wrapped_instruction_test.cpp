#include <gmock/gmock.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "hlo_text.hpp"

namespace dse::ir {
namespace {

using testing::HasSubstr;

TEST(WrappedInstruction, HasAComputationOfItsOwn) {
    const Program program = hlo_instructions(R"(p = f32[8] parameter(0)
  s = ((f32[8]), f32[8], u32[]) all-to-all-start(p), channel_id=1, replica_groups={{0,1}}, dimensions={0}
  u = ((f32[8]), f32[8], u32[]) all-to-all-update(s)
  ROOT d = f32[8] all-to-all-done(u))");
    const Operation& start = labelled(program, "s");
    EXPECT_EQ(start.opcode, Opcode::async_start);
    EXPECT_EQ(program.text(start.name), "all-to-all-start");
    ASSERT_EQ(program.called(start).size(), 1U);
    const Computation& wrapped = program[program.called(start)[0]];
    ASSERT_EQ(wrapped.operations.size(), 2U);
    EXPECT_EQ(wrapped.operations[1].opcode, Opcode::all_to_all);
    EXPECT_EQ(wrapped.operations[1].name, no_name);
    EXPECT_EQ(type_text(program, wrapped.operations[1]), "f32[8]");
    const auto* communication = program.attribute_if<Communication>(wrapped.operations[1]);
    ASSERT_NE(communication, nullptr);
    EXPECT_EQ(communication->groups, DeviceGroups::list({{0, 1}}));
    EXPECT_EQ(communication->mode, GroupMode::cross_partition);
    EXPECT_EQ(labelled(program, "u").opcode, Opcode::async_update);
    EXPECT_EQ(labelled(program, "d").opcode, Opcode::async_done);
    EXPECT_EQ(program.devices(), 2);
}

// As XLA's own test of its parser has it: the second operand comes with the update.
TEST(WrappedInstruction, MayGetOperandsLate) {
    const Program program = hlo_instructions(R"(a = f32[4,8] parameter(0)
  b = f32[8,2] parameter(1)
  s = ((f32[4,8]), (), u32[]) dot-start(a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  idle = ((f32[4,8]), (), u32[]) dot-update(s)
  u = ((f32[4,8], f32[8,2]), (), u32[]) dot-update(idle, b)
  after = ((f32[4,8], f32[8,2]), (), u32[]) dot-update(u)
  ROOT d = f32[4,2] dot-done(after))");
    const Operation& waits = labelled(program, "s");
    EXPECT_EQ(waits.opcode, Opcode::async_start);
    ASSERT_EQ(program.called(waits).size(), 1U);
    for (const Operation& operation : program[program.called(waits)[0]].operations)
        EXPECT_TRUE(operation.opcode == Opcode::parameter || operation.opcode == Opcode::tuple);
    EXPECT_EQ(labelled(program, "idle").opcode, Opcode::async_update);
    const Operation& begins = labelled(program, "u");
    EXPECT_EQ(begins.opcode, Opcode::async_start);
    ASSERT_EQ(program.operands(begins).size(), 2U);
    ASSERT_EQ(program.called(begins).size(), 1U);
    const Operation& dot = program[program.called(begins)[0]].operations.back();
    EXPECT_EQ(dot.opcode, Opcode::dot);
    EXPECT_EQ(type_text(program, dot), "f32[4,2]");
    EXPECT_EQ(program.attribute_if<DotDimensions>(dot)->lhs_contracting, Sizes{1});
    EXPECT_EQ(labelled(program, "after").opcode, Opcode::async_update);
    EXPECT_EQ(program_cost(program).once.dot, 2.0 * 4 * 8 * 2);
}

TEST(WrappedInstruction, KeepsItsFunctionsWhileItWaits) {
    const Program program = hlo_program(R"(sum {
  l = f32[] parameter(0)
  r = f32[] parameter(1)
  ROOT s = f32[] add(l, r)
}
ENTRY main {
  a = f32[8] parameter(0)
  zero = f32[] constant(0)
  s = ((f32[8]), (), u32[]) reduce-start(a), dimensions={0}, to_apply=sum
  u = ((f32[8], f32[]), (), u32[]) reduce-update(s, zero)
  ROOT d = f32[] reduce-done(u)
})");
    const Operation& reduce = program[program.called(labelled(program, "u"))[0]].operations.back();
    ASSERT_EQ(program.called(reduce).size(), 1U);
    EXPECT_EQ(program.text(program[program.called(reduce)[0]].name), "sum");
}

TEST(WrappedInstruction, MayGetAllOperandsLate) {
    const Program program = hlo_program(R"(sum {
  l = f32[8] parameter(0)
  r = f32[8] parameter(1)
  ROOT s = f32[8] add(l, r)
}
ENTRY main {
  a = f32[8] parameter(0)
  b = f32[8] parameter(1)
  s = ((), (), u32[]) call-start(), to_apply=sum
  u = ((f32[8], f32[8]), f32[8], u32[]) call-update(s, a, b)
  d = f32[8] call-done(u)
  ROOT never = ((), (), u32[]) call-start(), to_apply=sum
})");
    EXPECT_EQ(program.operands(labelled(program, "u")).size(), 2U);
    EXPECT_EQ(program_cost(program).once.flops, 8) << "the one that is not done does nothing";
}

TEST(WrappedInstruction, IsRefusedWhereItMakesNoSense) {
    EXPECT_THAT(hlo_refusal("ENTRY main {\n a = f32[4] parameter(0)\n"
                            " s = ((f32[4]), (), u32[]) dot-start(a)\n ROOT d = f32[] dot-done(s)\n}"),
                HasSubstr("t.hlo:4"))
        << "one operand in all";
    EXPECT_THAT(hlo_refusal("ENTRY main {\n a = f32[4] parameter(0)\n"
                            " ROOT s = ((f32[4]), f32[], u32[]) dot-start(a)\n}"),
                HasSubstr("dot-start"));
}

}  // namespace
}  // namespace dse::ir
