#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in_hlo;
using test::fault_in_mlir;

// 1:8:3 takes 1, 4, 7: three elements.
TEST(SliceFault, RangesAreWithinTheOperand) {
    EXPECT_EQ(fault_in_hlo({"f32[8,4]"}, "f32[3,4] slice(p0), slice={[1:8:3], [0:4]}"), "");
    EXPECT_EQ(fault_in_hlo({"f32[8,4]"}, "f32[0,4] slice(p0), slice={[8:8], [0:4]}"), "");
    EXPECT_EQ(fault_in_hlo({"f32[8,4]"}, "f32[2,4] slice(p0), slice={[1:8:3], [0:4]}"),
              "its result is f32[2,4], but its operands make [3,4]");
    EXPECT_EQ(fault_in_hlo({"f32[8,4]"}, "f32[8,4] slice(p0), slice={[1:9], [0:4]}"),
              "its range 1:9:1 of dimension 0 is not within its operand f32[8,4]");
    EXPECT_NE(fault_in_hlo({"f32[8]"}, "f32[0] slice(p0), slice={[3:2]}"), "");
    EXPECT_NE(fault_in_hlo({"f32[8]"}, "f32[8] slice(p0), slice={[0:8:0]}"), "");
    EXPECT_EQ(fault_in_hlo({"f32[8,4]"}, "f32[8,4] slice(p0), slice={[0:8]}"),
              "it has 1 ranges, but its operand f32[8,4] has 2 dimensions");
    EXPECT_EQ(fault_in_mlir({"8xf32"}, "stablehlo.slice %0 [1:8:3] : (tensor<8xf32>) -> tensor<3xf32>"), "");
    EXPECT_NE(fault_in_mlir({"8xf32"}, "stablehlo.slice %0 [1:8:3] : (tensor<8xf32>) -> tensor<7xf32>"), "");
}

TEST(SliceFault, DynamicSlicesAreNoLargerThanTheOperand) {
    const std::vector<std::string> types{"f32[8,4]", "s32[]", "s32[2]"};
    EXPECT_EQ(fault_in_hlo(types, "f32[1,4] dynamic-slice(p0, p1, p1), dynamic_slice_sizes={1,4}"), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[1,4] dynamic-slice(p0, p2), dynamic_slice_sizes={1,4}"), "")
        << "as older HLO has it";
    EXPECT_EQ(fault_in_hlo(types, "f32[1,5] dynamic-slice(p0, p1, p1), dynamic_slice_sizes={1,5}"),
              "{1,5} are not sizes of a slice of its operand f32[8,4]");
    EXPECT_EQ(fault_in_hlo(types, "f32[4] dynamic-slice(p0, p1, p1), dynamic_slice_sizes={1,4}"),
              "its result is f32[4], but its operands make [1,4]");
    EXPECT_EQ(fault_in_hlo(types, "f32[1,4] dynamic-slice(p0, p1), dynamic_slice_sizes={1,4}"),
              "f32[8,4] has 2 dimensions, but there are 1 start indices");
    EXPECT_EQ(fault_in_hlo(types, "f32[1,4] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={1,4}"),
              "its start index s32[2] is not a scalar");
    const std::string slice =
        "stablehlo.dynamic_slice %0, %1, sizes = [{}] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>";
    EXPECT_EQ(fault_in_mlir({"8xf32", "i32"}, fmt::format(fmt::runtime(slice), 2)), "");
    EXPECT_NE(fault_in_mlir({"8xf32", "i32"}, fmt::format(fmt::runtime(slice), 3)), "");
}

TEST(SliceFault, UpdatesAreNoLargerThanTheOperand) {
    const std::vector<std::string> types{"f32[8,4]", "f32[1,4]", "s32[]", "f32[9,4]", "f32[4]"};
    EXPECT_EQ(fault_in_hlo(types, "f32[8,4] dynamic-update-slice(p0, p1, p2, p2)"), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[8,4] dynamic-update-slice(p0, p3, p2, p2)"),
              "it updates f32[8,4] with f32[9,4], which is not a slice of it");
    EXPECT_NE(fault_in_hlo(types, "f32[8,4] dynamic-update-slice(p0, p4, p2, p2)"), "");
    EXPECT_NE(fault_in_hlo(types, "f32[1,4] dynamic-update-slice(p0, p1, p2, p2)"), "");
    EXPECT_NE(fault_in_hlo(types, "f32[8,4] dynamic-update-slice(p0, p1, p2)"), "");
    const std::string update =
        "stablehlo.dynamic_update_slice %0, %1, %2 : (tensor<8xf32>, tensor<9xf32>, tensor<i32>) -> "
        "tensor<8xf32>";
    EXPECT_NE(fault_in_mlir({"8xf32", "9xf32", "i32"}, update), "");
}

// 8 elements, 7 gaps of 2, 1 in front, 3 cut off behind: 8 + 14 + 1 - 3 = 20.
TEST(SliceFault, PaddingAddsUp) {
    EXPECT_EQ(fault_in_hlo({"f32[8]", "f32[]"}, "f32[20] pad(p0, p1), padding=1_-3_2"), "");
    EXPECT_EQ(fault_in_hlo({"f32[8]", "f32[]"}, "f32[21] pad(p0, p1), padding=1_-3_2"),
              "its operand f32[8], padded, has 20 elements along dimension 0, but its result is f32[21]");
    EXPECT_EQ(fault_in_hlo({"f32[8]", "f32[1]"}, "f32[9] pad(p0, p1), padding=1_0"),
              "it pads with f32[1], which is not a scalar");
    EXPECT_EQ(fault_in_hlo({"f32[8,2]", "f32[]"}, "f32[9,2] pad(p0, p1), padding=1_0"),
              "it pads 1 dimensions, but its operand f32[8,2] has 2");
    EXPECT_EQ(fault_in_hlo({"f32[8]", "f32[]"}, "f32[1] pad(p0, p1), padding=0_0_-1"),
              "its interior padding is -1 in dimension 0, but must be at least 0");
    EXPECT_NE(fault_in_hlo({"f32[2]", "f32[]"}, "f32[0] pad(p0, p1), padding=-3_0"), "");
    EXPECT_EQ(fault_in_hlo({"f32[0]", "f32[]"}, "f32[2] pad(p0, p1), padding=1_1_5"), "") << "no gaps";
    const std::string pad =
        "stablehlo.pad %0, %1, low = [1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> "
        "tensor<{}xf32>";
    EXPECT_EQ(fault_in_mlir({"8xf32", "f32"}, fmt::format(fmt::runtime(pad), 9)), "");
    EXPECT_NE(fault_in_mlir({"8xf32", "f32"}, fmt::format(fmt::runtime(pad), 8)), "");
}

}  // namespace
}  // namespace dse::ir
