#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in_hlo;
using test::fault_in_mlir;

TEST(MovementFault, BroadcastsMapDimensions) {
    EXPECT_EQ(fault_in_hlo({"f32[3]"}, "f32[2,3] broadcast(p0), dimensions={1}"), "");
    EXPECT_EQ(fault_in_hlo({"f32[]"}, "f32[2,3] broadcast(p0), dimensions={}"), "");
    EXPECT_EQ(fault_in_hlo({"f32[3]"}, "f32[2,3] broadcast(p0), dimensions={0}"),
              "dimension 0 of its operand f32[3] cannot be dimension 0 of its result f32[2,3]");
    EXPECT_EQ(fault_in_hlo({"f32[3]"}, "f32[2,3] broadcast(p0), dimensions={}"),
              "its operand f32[3] has 1 dimensions, but its map {} has 0 entries");
    EXPECT_EQ(fault_in_hlo({"f32[3]"}, "f32[2,3] broadcast(p0), dimensions={2}"),
              "{2} must be distinct dimensions of its result f32[2,3]");
    EXPECT_NE(fault_in_hlo({"f32[3,3]"}, "f32[3,3] broadcast(p0), dimensions={0,0}"), "");
    EXPECT_NE(fault_in_hlo({"f32[1]"}, "f32[2] broadcast(p0), dimensions={0}"), "") << "HLO reshapes before";
    const auto in_dim = [](const std::string& operand, const std::string& map) {
        return fault_in_mlir({operand},
                             fmt::format("stablehlo.broadcast_in_dim %0, dims = [{}] : (tensor<{}>) -> "
                                         "tensor<2x3xf32>",
                                         map, operand));
    };
    EXPECT_EQ(in_dim("1x3xf32", "0, 1"), "");
    EXPECT_EQ(in_dim("2xf32", "0"), "");
    EXPECT_NE(in_dim("2xf32", "1"), "");
    EXPECT_NE(in_dim("2xf32", "2"), "");
    EXPECT_NE(in_dim("2x3xf32", "1"), "");
    EXPECT_EQ(in_dim("?xf32", "1"), "");
    EXPECT_NE(in_dim("?x3xf32", "1"), "") << "its rank is known";
    const auto in_front = [](const std::string& result) {
        return fault_in_mlir({"3xf32"},
                             "\"mhlo.broadcast\"(%0) {broadcast_sizes = dense<[2]> : tensor<1xi64>} : "
                             "(tensor<3xf32>) -> tensor<" +
                                 result + ">");
    };
    EXPECT_EQ(in_front("2x3xf32"), "");
    EXPECT_EQ(in_front("2x4xf32"),
              "the shape of its operand f32[3] is not the end of that of its result f32[2,4]");
}

TEST(MovementFault, ReshapesKeepElements) {
    EXPECT_EQ(fault_in_hlo({"f32[4,6]"}, "f32[3,8] reshape(p0)"), "");
    EXPECT_EQ(fault_in_hlo({"f32[4,6]"}, "f32[25] reshape(p0)"),
              "its result f32[25] has 25 elements, but its operand f32[4,6] has 24");
    EXPECT_EQ(fault_in_mlir({"4x6xf32"}, "stablehlo.reshape %0 : (tensor<4x6xf32>) -> tensor<24xf32>"), "");
    EXPECT_NE(fault_in_mlir({"4x6xf32"}, "stablehlo.reshape %0 : (tensor<4x6xf32>) -> tensor<f32>"), "");
    EXPECT_EQ(fault_in_mlir({"4x?xf32"}, "stablehlo.reshape %0 : (tensor<4x?xf32>) -> tensor<7xf32>"), "");
}

// 64 bits are two of 32: StableHLO specification, bitcast_convert, C2.
TEST(MovementFault, BitsAreKept) {
    const auto bits = [](const std::string& from, const std::string& to) {
        return fault_in_mlir(
            {from}, fmt::format("stablehlo.bitcast_convert %0 : (tensor<{}>) -> tensor<{}>", from, to));
    };
    EXPECT_EQ(bits("4xf32", "4xi32"), "");
    EXPECT_EQ(bits("4xf64", "4x2xi32"), "");
    EXPECT_EQ(bits("4x2xi32", "4xf64"), "");
    EXPECT_NE(bits("4xf32", "2x2xi32"), "");
    EXPECT_EQ(bits("4xf64", "8xi32"),
              "its operand f64[4] and its result s32[8] do not have the same number of bits");
    EXPECT_NE(fault_in_hlo({"f64[4]"}, "f32[4] bitcast-convert(p0)"), "");
}

TEST(MovementFault, TransposesPermute) {
    EXPECT_EQ(fault_in_hlo({"f32[2,3,4]"}, "f32[4,2,3] transpose(p0), dimensions={2,0,1}"), "");
    EXPECT_EQ(
        fault_in_hlo({"f32[2,3,4]"}, "f32[3,4,2] transpose(p0), dimensions={2,0,1}"),
        "its result is f32[3,4,2], which is not the shape of its operand f32[2,3,4] permuted by {2,0,1}");
    EXPECT_EQ(fault_in_hlo({"f32[2,2]"}, "f32[2,2] transpose(p0), dimensions={1,1}"),
              "{1,1} is not a permutation of the 2 dimensions of its operand f32[2,2]");
    EXPECT_NE(fault_in_hlo({"f32[2,2]"}, "f32[2,2] transpose(p0), dimensions={0,2}"), "");
    const std::string turned = "stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> ";
    EXPECT_EQ(fault_in_mlir({"2x3xf32"}, turned + "tensor<3x2xf32>"), "");
    EXPECT_NE(fault_in_mlir({"2x3xf32"}, turned + "tensor<2x3xf32>"), "");
}

TEST(MovementFault, ConcatenationsAddUp) {
    const std::vector<std::string> types{"f32[2,3]", "f32[4,3]", "f32[2,5]"};
    EXPECT_EQ(fault_in_hlo(types, "f32[6,3] concatenate(p0, p1), dimensions={0}"), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[2,8] concatenate(p0, p2), dimensions={1}"), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[7,3] concatenate(p0, p1), dimensions={0}"),
              "its result is f32[7,3], but its operands make [6,3]");
    EXPECT_EQ(fault_in_hlo(types, "f32[4,3] concatenate(p0, p2), dimensions={0}"),
              "f32[2,3] and f32[2,5] cannot be concatenated along dimension 0: their other sizes must be "
              "equal");
    EXPECT_EQ(fault_in_hlo(types, "f32[6,3] concatenate(p0, p1), dimensions={2}"),
              "{2} is not a dimension of its operand f32[2,3]");
    const std::string both = "stablehlo.concatenate %0, %0, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> ";
    EXPECT_EQ(fault_in_mlir({"2xf32"}, both + "tensor<4xf32>"), "");
    EXPECT_NE(fault_in_mlir({"2xf32"}, both + "tensor<2xf32>"), "");
}

TEST(MovementFault, ReversalsCopiesAndCountersKeepTheirShape) {
    EXPECT_EQ(fault_in_hlo({"f32[2,3]"}, "f32[2,3] reverse(p0), dimensions={1}"), "");
    EXPECT_EQ(fault_in_hlo({"f32[2,3]"}, "f32[2,3] reverse(p0), dimensions={2}"),
              "{2} must be distinct dimensions of its operand f32[2,3]");
    EXPECT_NE(fault_in_hlo({"f32[2,3]"}, "f32[3,2] reverse(p0), dimensions={1}"), "");
    EXPECT_EQ(fault_in_hlo({"f32[2,3]{1,0}"}, "f32[2,3]{0,1} copy(p0)"), "");
    EXPECT_EQ(fault_in_hlo({"(f32[2], s32[])"}, "(f32[2], s32[]) opt-barrier(p0)"), "");
    EXPECT_EQ(fault_in_hlo({"f32[2,3]"}, "f32[2,4] copy(p0)"),
              "its operand is f32[2,3], but its result is f32[2,4]: their shapes must be equal");
    EXPECT_EQ(fault_in_hlo({}, "s32[2,3] iota(), iota_dimension=1"), "");
    EXPECT_EQ(fault_in_hlo({}, "s32[2,3] iota(), iota_dimension=2"),
              "it counts along dimension 2, which its result s32[2,3] does not have");
    EXPECT_NE(fault_in_mlir({}, "stablehlo.iota dim = 1 : tensor<4xi32>"), "");
    EXPECT_EQ(
        fault_in_mlir({"4xf32"}, "stablehlo.get_dimension_size %0, dim = 0 : (tensor<4xf32>) -> tensor<i32>"),
        "");
    EXPECT_EQ(
        fault_in_mlir({"4xf32"}, "stablehlo.get_dimension_size %0, dim = 1 : (tensor<4xf32>) -> tensor<i32>"),
        "its operand f32[4] has no dimension 1");
}

}  // namespace
}  // namespace dse::ir
