#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in;
using test::fault_in_hlo;
using test::fault_in_mlir;

std::string loop_of(const std::string& result, const std::string& body,
                    const std::string& condition = "pred[]") {
    return fault_in("cond {\n  p = f32[4] parameter(0)\n  ROOT c = " + condition +
                        " constant(true)\n}\nbody {\n  p = " + body + " parameter(0)\n  ROOT n = " + body +
                        " negate(p)\n}\nENTRY main {\n  p0 = f32[4] parameter(0)\n  ROOT w = " + result +
                        " while(p0), condition=cond, body=body\n}\n",
                    "t.hlo");
}

TEST(ControlFault, LoopsCarryOneType) {
    EXPECT_EQ(loop_of("f32[4]", "f32[4]"), "");
    EXPECT_EQ(
        loop_of("f32[5]", "f32[4]"),
        "its initial value is f32[4], but its result is f32[5]: a value that a loop carries has one type");
    EXPECT_EQ(loop_of("f32[4]", "f32[5]"), "its body takes f32[5] as its operand 0, but is given f32[4]");
    EXPECT_EQ(loop_of("f32[4]", "f32[4]", "s32[2]"), "its condition returns s32[2] instead of pred[]");
    const auto loop = [](const std::string& returned) {
        return fault_in_mlir({"4xf32", "i1", "5xf32"},
                             "stablehlo.while(%x = %0) : tensor<4xf32>\n cond {\n  stablehlo.return %1 : "
                             "tensor<i1>\n } do {\n  stablehlo.return " +
                                 returned + "\n }");
    };
    EXPECT_EQ(loop("%x : tensor<4xf32>"), "");
    EXPECT_EQ(loop("%2 : tensor<5xf32>"), "its body returns f32[5], but f32[4] is taken");
}

// StableHLO's may: what such a loop does, it does elsewhere. HLO's carries one value.
TEST(ControlFault, LoopsMayCarryNothing) {
    const auto in_function = [](const std::string& loop) {
        return fault_in("func.func @main(%0: tensor<i1>) {\n  " + loop + "\n  return\n}\n", "t.mlir");
    };
    EXPECT_EQ(in_function("stablehlo.while()\n  cond {\n    stablehlo.return %0 : tensor<i1>\n  } do {\n    "
                          "stablehlo.return\n  }"),
              "");
    EXPECT_EQ(in_function(
                  "\"stablehlo.while\"() ({\n    \"stablehlo.return\"(%0) : (tensor<i1>) -> ()\n  }, {\n    "
                  "\"stablehlo.return\"() : () -> ()\n  }) : () -> ()"),
              "");
    EXPECT_EQ(fault_in("cond {\n  ROOT c = pred[] constant(true)\n}\nbody {\n  ROOT n = f32[4] iota(), "
                       "iota_dimension=0\n}\nENTRY main {\n  ROOT w = f32[4] while(), condition=cond, "
                       "body=body\n}\n",
                       "t.hlo"),
              "it carries 0 values, but its regions or results have 1");
}

TEST(ControlFault, CallsTakeWhatIsCalled) {
    EXPECT_EQ(fault_in_hlo({"f32[]", "f32[]"}, "f32[] call(p0, p1), to_apply=sum"), "");
    EXPECT_EQ(fault_in_hlo({"f32[]", "f32[]"}, "f32[] fusion(p0, p1), kind=kLoop, calls=sum"), "");
    EXPECT_EQ(fault_in_hlo({"f32[]"}, "f32[] call(p0), to_apply=sum"),
              "what it calls takes 2 operands, but is given 1");
    EXPECT_EQ(fault_in_hlo({"f32[]", "f32[2]"}, "f32[] fusion(p0, p1), kind=kLoop, calls=sum"),
              "what it calls takes f32[] as its operand 1, but is given f32[2]");
    EXPECT_EQ(fault_in_hlo({"f32[]", "f32[]"}, "f32[2] call(p0, p1), to_apply=sum"),
              "what it calls returns f32[], but f32[2] is taken");
}

TEST(ControlFault, BranchesMakeOneType) {
    const auto choice = [](const std::string& predicate, const std::string& operand,
                           const std::string& result) {
        return fault_in(
            "yes {\n  ROOT y = f32[4] parameter(0)\n}\nno {\n  ROOT n = f32[4] parameter(0)\n}\nENTRY "
            "main {\n  p = " +
                predicate + " parameter(0)\n  x = " + operand + " parameter(1)\n  ROOT r = " + result +
                " conditional(p, x, x), true_computation=yes, false_computation=no\n}\n",
            "t.hlo");
    };
    EXPECT_EQ(choice("pred[]", "f32[4]", "f32[4]"), "");
    EXPECT_EQ(choice("pred[2]", "f32[4]", "f32[4]"), "it chooses a branch by pred[2], which is not a scalar");
    EXPECT_EQ(choice("pred[]", "f32[5]", "f32[4]"),
              "its branch 0 takes f32[4] as its operand 0, but is given f32[5]");
    EXPECT_EQ(choice("pred[]", "f32[4]", "f32[5]"), "its branch 0 returns f32[4], but f32[5] is taken");
    const auto either = [](const std::string& other) {
        return fault_in_mlir({"i1", "4xf32", "5xf32"},
                             "\"stablehlo.if\"(%0) ({\n  stablehlo.return %1 : tensor<4xf32>\n}, {\n  "
                             "stablehlo.return " +
                                 other + "\n}) : (tensor<i1>) -> tensor<4xf32>");
    };
    EXPECT_EQ(either("%1 : tensor<4xf32>"), "");
    EXPECT_EQ(either("%2 : tensor<5xf32>"), "its branch 1 returns f32[5], but f32[4] is taken");
}

}  // namespace
}  // namespace dse::ir
