#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in;
using test::fault_in_hlo;
using test::fault_in_mlir;

TEST(ElementwiseFault, SaysWhereAndWhat) {
    EXPECT_EQ(fault_in_hlo({"f32[24,1024]", "f32[3]"}, "f32[24,1024] add(p0, p1)"),
              "its operands are f32[24,1024] and f32[3]: element-wise operators need operands of one shape "
              "(broadcast the smaller one first)");
    try {
        (void)read_program(
            Source::text("ENTRY main {\n  a = f32[2] parameter(0)\n  b = f32[3] parameter(1)\n"
                         "  ROOT r = f32[2] add(a, b)\n}",
                         "model.hlo"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_TRUE(std::string{error.what()}.starts_with("model.hlo:4:3: 'add': its operands are"))
            << error.what();
    }
}

TEST(ElementwiseFault, OperandsAndResultHaveOneShape) {
    EXPECT_EQ(fault_in_hlo({"f32[2,3]{1,0}", "bf16[2,3]{0,1}"}, "f32[2,3] add(p0, p1)"), "");
    EXPECT_EQ(fault_in_hlo({"f32[2,3]"}, "f32[3,2] negate(p0)"),
              "its operand is f32[2,3], but its result is f32[3,2]: their shapes must be equal");
    EXPECT_EQ(fault_in_hlo({"f32[2,3]"}, "s8[2,3] convert(p0)"), "");
    EXPECT_NE(fault_in_hlo({"f32[2,3]"}, "s8[2,4] convert(p0)"), "");
    // No operand is repeated, not even one of one element.
    EXPECT_NE(fault_in_hlo({"f32[2,3]", "f32[2,1]"}, "f32[2,3] add(p0, p1)"), "");
    EXPECT_NE(fault_in_hlo({"f32[2,3]", "f32[]"}, "f32[2,3] power(p0, p1)"), "");
    const std::string types = " : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>";
    EXPECT_NE(fault_in_mlir({"2x3xf32", "2x1xf32"}, "stablehlo.add %0, %1" + types), "");
    EXPECT_EQ(fault_in_mlir({"2x3xf32"}, "stablehlo.exponential %0 : tensor<2x3xf32>"), "");
    EXPECT_NE(fault_in_mlir({"2x3xf32"}, "stablehlo.abs %0 : (tensor<2x3xf32>) -> tensor<2xf32>"), "");
}

TEST(ElementwiseFault, CountsTheirOperands) {
    EXPECT_EQ(fault_in_hlo({"f32[2]"}, "f32[2] add(p0)"), "it takes at least 2 operands, but has 1");
    EXPECT_EQ(fault_in_hlo({"f32[2]"}, "f32[2] negate(p0, p0)"), "it takes 1 operands, but has 2");
    EXPECT_EQ(fault_in_hlo({"(f32[2], f32[2])"}, "(f32[2], f32[2]) negate(p0)"),
              "its operand is (f32[2], f32[2]), but element-wise operators take arrays");
}

TEST(ElementwiseFault, PredicatesAndBoundsMayBeScalars) {
    EXPECT_EQ(fault_in_hlo({"pred[]", "f32[4]", "f32[4]"}, "f32[4] select(p0, p1, p2)"), "");
    EXPECT_EQ(fault_in_hlo({"pred[4]", "f32[4]", "f32[4]"}, "f32[4] select(p0, p1, p2)"), "");
    EXPECT_NE(fault_in_hlo({"pred[2]", "f32[4]", "f32[4]"}, "f32[4] select(p0, p1, p2)"), "");
    EXPECT_NE(fault_in_hlo({"pred[]", "f32[4]", "f32[]"}, "f32[4] select(p0, p1, p2)"), "");
    EXPECT_EQ(fault_in_hlo({"f32[]", "f32[4]", "f32[]"}, "f32[4] clamp(p0, p1, p2)"), "");
    EXPECT_NE(fault_in_hlo({"f32[4]", "f32[]", "f32[4]"}, "f32[4] clamp(p0, p1, p2)"), "");
    EXPECT_EQ(fault_in_mlir({"i1", "4xf32"}, "stablehlo.select %0, %1, %1 : tensor<i1>, tensor<4xf32>"), "");
    EXPECT_NE(fault_in_mlir({"2xi1", "4xf32"}, "stablehlo.select %0, %1, %1 : tensor<2xi1>, tensor<4xf32>"),
              "");
}

TEST(ElementwiseFault, QuestionsHaveAnswers) {
    EXPECT_EQ(fault_in_hlo({"f32[4]"}, "pred[4] compare(p0, p0), direction=LT"), "");
    EXPECT_EQ(fault_in_hlo({"f32[4]"}, "f32[4] compare(p0, p0), direction=LT"),
              "its result is f32[4], but its elements must be booleans (pred)");
    EXPECT_NE(fault_in_hlo({"f32[4]"}, "f32[4] is-finite(p0)"), "");
    const std::string less = "stablehlo.compare LT, %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> ";
    EXPECT_EQ(fault_in_mlir({"4xf32"}, less + "tensor<4xi1>"), "");
    EXPECT_NE(fault_in_mlir({"4xf32"}, less + "tensor<4xi8>"), "");
}

TEST(ElementwiseFault, WhatARunDecidesAgreesWithAll) {
    const std::string types = " : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>";
    EXPECT_EQ(fault_in_mlir({"?x4xf32", "2x4xf32"}, "stablehlo.add %0, %1" + types), "");
    const std::string ranks = " : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>";
    EXPECT_NE(fault_in_mlir({"?x4xf32", "4xf32"}, "stablehlo.add %0, %1" + ranks), "");
    const std::string unranked = " : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>";
    EXPECT_EQ(fault_in_mlir({"*xf32", "4xf32"}, "stablehlo.add %0, %1" + unranked), "");
    EXPECT_EQ(fault_in_hlo({"f32[<=8]", "f32[4]"}, "f32[<=8] add(p0, p1)"), "");
}

// Source: CHLO, broadcasting binary element-wise operations: as NumPy's, or along broadcast_dimensions.
TEST(ElementwiseFault, ChloRepeats) {
    const auto add = [](const std::string& lhs, const std::string& rhs, const std::string& result) {
        return fault_in_mlir(
            {lhs, rhs}, fmt::format("chlo.broadcast_add %0, %1 : (tensor<{}>, tensor<{}>) -> tensor<{}>", lhs,
                                    rhs, result));
    };
    EXPECT_EQ(add("2x3xf32", "3xf32", "2x3xf32"), "");
    EXPECT_EQ(add("2x3xf32", "f32", "2x3xf32"), "");
    EXPECT_EQ(add("2x1xf32", "1x3xf32", "2x3xf32"), "");
    EXPECT_EQ(add("2x3xf32", "2xf32", "2x3xf32"), "");  // along broadcast_dimensions = [0]
    EXPECT_EQ(add("2x3xf32", "4xf32", "2x3xf32"),
              "its operand f32[4] cannot be broadcast to its result f32[2,3]");
    EXPECT_NE(add("2x3xf32", "2x3x1xf32", "2x3xf32"), "");
}

}  // namespace
}  // namespace dse::ir
