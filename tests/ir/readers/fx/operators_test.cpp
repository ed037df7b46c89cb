#include "ir/readers/fx/operators.hpp"

#include <gtest/gtest.h>

namespace dse::ir::fx {
namespace {

TEST(Operators, AreCountedWithoutTheirOverload) {
    Operators operators;
    EXPECT_EQ(operators["torch.ops.aten.mm.default"].name, "aten.mm");
    EXPECT_EQ(operators["torch.ops.higher_order.cond"].name, "higher_order.cond");
    EXPECT_EQ(operators["torch.nn.functional.silu"].name, "torch.nn.functional.silu");
}

TEST(Operators, AreOneInAllTheirSpellings) {
    Operators operators;
    for (const char* callee : {"torch.ops.aten.add.Tensor", "torch.ops.aten.add_.Scalar", "torch.add", "add",
                               "operator.add", "torch._C._nn.add"})
        EXPECT_EQ(operators[callee].opcode, Opcode::add) << callee;
    EXPECT_EQ(operators["torch.ops._c10d_functional.all_reduce_.default"].opcode, Opcode::all_reduce);
    EXPECT_EQ(operators["torch.ops._c10d_functional.wait_tensor.default"].opcode, Opcode::wait);
    EXPECT_EQ(operators["torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default"].opcode,
              Opcode::attention);
    EXPECT_EQ(operators["torch.ops.higher_order.auto_functionalized_v2"].opcode, Opcode::call);
    EXPECT_EQ(operators["torch.ops.aten._int_mm.default"].opcode, Opcode::dot);
}

TEST(Operators, KeepForeignOnesByName) {
    Operators operators;
    const Operator foreign = operators["torch.ops.tg.add.default"];
    EXPECT_EQ(foreign.name, "tg.add");
    EXPECT_EQ(foreign.opcode, Opcode::unknown);
}

TEST(Operators, StandBetweenValues) {
    EXPECT_EQ(Operators::infix("*"), Opcode::multiply);
    EXPECT_EQ(Operators::infix("**"), Opcode::power);
    EXPECT_EQ(Operators::infix("//"), Opcode::divide);
    EXPECT_EQ(Operators::infix("<="), Opcode::compare);
    EXPECT_EQ(Operators::infix("<<"), Opcode::shift_left);
}

}  // namespace
}  // namespace dse::ir::fx
