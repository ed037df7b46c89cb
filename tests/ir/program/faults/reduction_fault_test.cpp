#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in_hlo;
using test::fault_in_mlir;

TEST(ReductionFault, ReducedDimensionsAreGone) {
    const std::vector<std::string> types{"f32[2,3,4]", "f32[]", "f32[1]"};
    const std::string of_all = ", to_apply=sum";
    EXPECT_EQ(fault_in_hlo(types, "f32[3] reduce(p0, p1), dimensions={0,2}" + of_all), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[2] reduce(p0, p1), dimensions={0,2}" + of_all),
              "reducing dimensions {0,2} of its operand f32[2,3,4] does not give its result f32[2]");
    EXPECT_NE(fault_in_hlo(types, "f32[1,3,1] reduce(p0, p1), dimensions={0,2}" + of_all), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[2,3] reduce(p0, p1), dimensions={3}" + of_all),
              "{3} must be distinct dimensions of its operand f32[2,3,4]");
    EXPECT_NE(fault_in_hlo(types, "f32[3,4] reduce(p0, p1), dimensions={0,0}" + of_all), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[2,3] reduce(p0, p2), dimensions={2}" + of_all),
              "its initial value f32[1] is not a scalar");
    EXPECT_EQ(fault_in_hlo(types, "f32[2,3] reduce(p0, p1, p1), dimensions={2}" + of_all),
              "it has 3 operands: each needs an initial value");
    const std::string sum =
        "stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [{}] : (tensor<2x3xf32>, "
        "tensor<f32>) -> tensor<2xf32>";
    EXPECT_EQ(fault_in_mlir({"2x3xf32", "f32"}, fmt::format(fmt::runtime(sum), 1)), "");
    EXPECT_NE(fault_in_mlir({"2x3xf32", "f32"}, fmt::format(fmt::runtime(sum), 0)), "");
    EXPECT_NE(fault_in_mlir({"2x3xf32", "f32"}, fmt::format(fmt::runtime(sum), 2)), "");
}

TEST(ReductionFault, SeveralReductionsAreOfOneShape) {
    const std::string both = " reduce(p0, p1, p2, p3), dimensions={1}, to_apply=sum";
    EXPECT_EQ(fault_in_hlo({"f32[2,3]", "s32[2,3]", "f32[]", "s32[]"}, "(f32[2], s32[2])" + both), "");
    EXPECT_EQ(fault_in_hlo({"f32[2,3]", "s32[2,4]", "f32[]", "s32[]"}, "(f32[2], s32[2])" + both),
              "its operands are f32[2,3] and s32[2,4]: their shapes must be equal");
    EXPECT_NE(fault_in_hlo({"f32[2,3]", "s32[2,3]", "f32[]", "s32[]"}, "(f32[2], s32[3])" + both), "");
}

TEST(ReductionFault, SortsAndMapsKeepTheirShape) {
    const std::string sorted = " sort(p0, p1), dimensions={1}, to_apply=sum";
    EXPECT_EQ(fault_in_hlo({"f32[2,3]", "s32[2,3]"}, "(f32[2,3], s32[2,3])" + sorted), "");
    EXPECT_NE(fault_in_hlo({"f32[2,3]", "s32[2,4]"}, "(f32[2,3], s32[2,4])" + sorted), "");
    EXPECT_NE(fault_in_hlo({"f32[2,3]", "s32[2,3]"}, "(f32[2,3], s32[3,2])" + sorted), "");
    EXPECT_EQ(fault_in_hlo({"f32[2,3]"}, "f32[2,3] sort(p0), dimensions={2}, to_apply=sum"),
              "it sorts along dimension 2, which its operand f32[2,3] does not have");
    const auto sort = [](int dimension) {
        return fault_in_mlir(
            {"8xf32"}, fmt::format("\"stablehlo.sort\"(%0) <{{dimension = {} : i64}}> ({{\n^bb0(%a: "
                                   "tensor<f32>, %b: tensor<f32>):\n  %c = stablehlo.compare LT, %a, %b : "
                                   "(tensor<f32>, tensor<f32>) -> tensor<i1>\n  stablehlo.return %c : "
                                   "tensor<i1>\n}}) : (tensor<8xf32>) -> tensor<8xf32>",
                                   dimension));
    };
    EXPECT_EQ(sort(-1), "") << "the last one";
    EXPECT_NE(sort(-2), "");
    EXPECT_NE(sort(1), "");
    EXPECT_EQ(fault_in_hlo({"f32[2]", "f32[2]"}, "f32[2] map(p0, p1), dimensions={0}, to_apply=sum"), "");
    EXPECT_NE(fault_in_hlo({"f32[2]", "f32[3]"}, "f32[2] map(p0, p1), dimensions={0}, to_apply=sum"), "");
}

}  // namespace
}  // namespace dse::ir
