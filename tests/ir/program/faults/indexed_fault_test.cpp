#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in_hlo;
using test::fault_in_mlir;

// Rows of a table f32[100,16] at s32[3,1] places: f32[3,16], the row's 16 elements as dimension 1.
TEST(IndexedFault, GathersPutSlicesAtIndices) {
    const auto gather = [](const std::string& table, const std::string& indices, const std::string& result,
                           const std::string& sizes = "{1,16}", const std::string& offset = "{1}") {
        return fault_in_hlo(
            {table, indices},
            result + " gather(p0, p1), offset_dims=" + offset +
                ", collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes=" + sizes);
    };
    EXPECT_EQ(gather("f32[100,16]", "s32[3,1]", "f32[3,16]"), "");
    EXPECT_EQ(gather("f32[100,16]", "s32[3]", "f32[3,16]"), "") << "an index is a scalar";
    EXPECT_EQ(gather("f32[100,16]", "s32[3,1]", "f32[3,8]", "{1,8}"), "");
    EXPECT_EQ(gather("f32[100,16]", "s32[3,1]", "f32[16,3]", "{1,16}", "{0}"), "");
    EXPECT_EQ(gather("f32[100,16]", "s32[3,1]", "f32[16,3]"),
              "its result is f32[16,3], but its operands make [3,16]");
    EXPECT_EQ(gather("f32[100,16]", "s32[3,2]", "f32[3,16]"),
              "an index in s32[3,2] has 2 entries for 1 dimensions, {0}");
    EXPECT_NE(gather("f32[100,16]", "s32[]", "f32[3,16]"), "");
    EXPECT_EQ(gather("f32[100,16]", "s32[3,1]", "f32[3,17]", "{1,17}"),
              "{1,17} are not sizes of a slice of its operand f32[100,16], where dimensions {0} and {} have "
              "size 1");
    EXPECT_NE(gather("f32[100,16]", "s32[3,1]", "f32[3,16]", "{2,16}"), "");
    EXPECT_NE(gather("f32[100,16]", "s32[3,1]", "f32[3,16]", "{1}"), "");
    EXPECT_NE(gather("f32[100,16,2]", "s32[3,1]", "f32[3,16]", "{1,16,2}"), "");
    EXPECT_NE(gather("f32[100,16]", "s32[3,1]", "f32[3,16]", "{1,16}", "{2}"), "");
    const std::string rows =
        "\"stablehlo.gather\"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: "
        "1, 16>}> "
        ": (tensor<100x16xf32>, tensor<3x1xi32>) -> ";
    EXPECT_EQ(fault_in_mlir({"100x16xf32", "3x1xi32"}, rows + "tensor<3x16xf32>"), "");
    EXPECT_NE(fault_in_mlir({"100x16xf32", "3x1xi32"}, rows + "tensor<3x1x16xf32>"), "");
}

TEST(IndexedFault, ScattersUpdateSlicesAtIndices) {
    const auto scatter = [](const std::string& updates, const std::string& result,
                            const std::string& indices = "s32[3,1]") {
        return fault_in_hlo({"f32[100,16]", indices, updates},
                            result +
                                " scatter(p0, p1, p2), update_window_dims={1}, inserted_window_dims={0}, "
                                "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum");
    };
    EXPECT_EQ(scatter("f32[3,16]", "f32[100,16]"), "");
    EXPECT_EQ(scatter("f32[3,8]", "f32[100,16]"), "") << "a part of a row";
    EXPECT_EQ(scatter("f32[3,17]", "f32[100,16]"),
              "f32[3,17] are not updates of f32[100,16] at indices s32[3,1]");
    EXPECT_NE(scatter("f32[4,16]", "f32[100,16]"), "");
    EXPECT_NE(scatter("f32[16]", "f32[100,16]"), "");
    EXPECT_NE(scatter("f32[3,16]", "f32[3,16]"), "");
    EXPECT_NE(scatter("f32[3,16]", "f32[100,16]", "s32[3,2]"), "");
    EXPECT_EQ(fault_in_hlo({"f32[4]", "s32[1]", "f32[]"},
                           "f32[4] scatter(p0, p1, p2, p2), update_window_dims={}, inserted_window_dims={0}, "
                           "scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=sum"),
              "it has 4 operands: indices, and each other one needs its updates");
}

}  // namespace
}  // namespace dse::ir
