#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in_hlo;
using test::fault_in_mlir;

// Batch 2, then 3 rows of the left, then 5 columns of the right; 4 are contracted.
TEST(ContractionFault, ProductsHaveBatchesThenWhatIsLeft) {
    const std::vector<std::string> types{"f32[2,3,4]", "f32[2,4,5]"};
    const std::string dimensions =
        " dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
        "rhs_contracting_dims={1}";
    EXPECT_EQ(fault_in_hlo(types, "f32[2,3,5]" + dimensions), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[2,5,3]" + dimensions),
              "the product of f32[2,3,4] (batches {0}, contracted {2}) and f32[2,4,5] ({0}, {1}) is not "
              "f32[2,5,3]");
    EXPECT_NE(fault_in_hlo(types, "f32[2,3]" + dimensions), "");
    EXPECT_NE(fault_in_hlo(types, "f32[2,3,5,1]" + dimensions), "");
    const std::string product =
        "stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : "
        "(tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> ";
    EXPECT_EQ(fault_in_mlir({"2x3x4xf32", "2x4x5xf32"}, product + "tensor<2x3x5xf32>"), "");
    EXPECT_NE(fault_in_mlir({"2x3x4xf32", "2x4x5xf32"}, product + "tensor<3x5xf32>"), "");
    EXPECT_EQ(fault_in_mlir({"2x3x4xf32", "2x4x5xf32"}, product + "tensor<2x3x?xf32>"), "");
    EXPECT_EQ(fault_in_mlir({"3x4xf32", "4xf32"},
                            "stablehlo.dot %0, %1 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>"),
              "");
    EXPECT_NE(fault_in_mlir({"3x4xf32", "4xf32"},
                            "stablehlo.dot %0, %1 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>"),
              "");
}

TEST(ContractionFault, DimensionsGoTogether) {
    const auto dot = [](const std::string& dimensions) {
        return fault_in_hlo({"f32[4,8]", "f32[8,2]"}, "f32[4,2] dot(p0, p1), " + dimensions);
    };
    EXPECT_EQ(dot("lhs_contracting_dims={1}, rhs_contracting_dims={0}"), "");
    EXPECT_EQ(dot("lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
              "the product contracts a dimension of 4 with one of 8");
    EXPECT_EQ(dot("lhs_contracting_dims={2}, rhs_contracting_dims={0}"),
              "the product names a dimension that its operand does not have");
    EXPECT_EQ(dot("lhs_contracting_dims={1}"),
              "the product contracts different numbers of dimensions of its operands");
    EXPECT_EQ(
        dot("lhs_batch_dims={1}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
        "the product names a dimension twice");
    EXPECT_EQ(fault_in_hlo({"f32[4,4]"},
                           "f32[] dot(p0, p0), lhs_contracting_dims={1,1}, rhs_contracting_dims={0,1}"),
              "the product names a dimension twice");
}

TEST(ContractionFault, TriangularMatricesAreSquare) {
    EXPECT_EQ(fault_in_hlo({"f32[2,3,3]"}, "f32[2,3,3] cholesky(p0), lower=true"), "");
    EXPECT_EQ(fault_in_hlo({"f32[3,4]"}, "f32[3,4] cholesky(p0), lower=true"),
              "the matrices of its operand f32[3,4] are not square");
    const auto solve = [](const std::string& a, const std::string& b) {
        return fault_in_hlo({a, b},
                            b + " triangular-solve(p0, p1), left_side=true, transpose_a=NO_TRANSPOSE");
    };
    EXPECT_EQ(solve("f32[2,3,3]", "f32[2,3,5]"), "");
    EXPECT_NE(solve("f32[3,4]", "f32[3,5]"), "");
    EXPECT_EQ(solve("f32[3,3]", "f32[4,5]"),
              "f32[4,5] cannot be the right-hand sides of equations with f32[3,3]");
    EXPECT_NE(solve("f32[2,3,3]", "f32[4,3,5]"), "");
}

}  // namespace
}  // namespace dse::ir
