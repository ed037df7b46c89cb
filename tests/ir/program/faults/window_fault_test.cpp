#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in_hlo;
using test::fault_in_mlir;

const std::string labels = ", dim_labels=b01f_01io->b01f";

// 9 elements, none added: a window of 3 every 2 stands at 0, 2, 4, 6: four places.
TEST(WindowFault, ConvolutionsHaveAnElementAPlaceOfTheWindow) {
    const std::vector<std::string> types{"f32[2,9,9,4]", "f32[3,3,4,8]"};
    const std::string conv = " convolution(p0, p1), window={size=3x3 stride=2x2}" + labels;
    EXPECT_EQ(fault_in_hlo(types, "f32[2,4,4,8]" + conv), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[2,4,5,8]" + conv),
              "the convolution of f32[2,9,9,4] and f32[3,3,4,8] has 4 elements along dimension 2, but its "
              "result is "
              "f32[2,4,5,8]");
    EXPECT_NE(fault_in_hlo(types, "f32[2,4,4,4]" + conv), "");
    EXPECT_NE(fault_in_hlo(types, "f32[1,4,4,8]" + conv), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[2,4,4,8] convolution(p0, p1), window={size=3x2 stride=2x2}" + labels),
              "its window has size 2 where its kernel f32[3,3,4,8] has 3");
    const std::string strided =
        "stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
        "{stride = "
        "[2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x4xf32>, "
        "tensor<3x3x4x8xf32>) -> ";
    EXPECT_EQ(fault_in_mlir({"2x9x9x4xf32", "3x3x4x8xf32"}, strided + "tensor<2x4x4x8xf32>"), "");
    EXPECT_NE(fault_in_mlir({"2x9x9x4xf32", "3x3x4x8xf32"}, strided + "tensor<2x9x9x8xf32>"), "");
}

// 5 elements with a hole between two are 9; 1 on each side: 11; a window of 2 with a hole takes 3: 9 places.
TEST(WindowFault, DilationsCount) {
    const std::string conv =
        " convolution(p0, p1), window={size=2 pad=1_1 lhs_dilate=2 rhs_dilate=2}, dim_labels=b0f_0io->b0f";
    EXPECT_EQ(fault_in_hlo({"f32[1,5,4]", "f32[2,4,8]"}, "f32[1,9,8]" + conv), "");
    EXPECT_NE(fault_in_hlo({"f32[1,5,4]", "f32[2,4,8]"}, "f32[1,5,8]" + conv), "");
}

TEST(WindowFault, FeaturesAreThoseOfAGroup) {
    const auto conv = [](const std::string& kernel, const std::string& result, const std::string& groups) {
        return fault_in_hlo({"f32[6,8,8,4]", kernel},
                            result + " convolution(p0, p1), window={size=1x1}" + labels + groups);
    };
    EXPECT_EQ(conv("f32[1,1,4,8]", "f32[6,8,8,8]", ""), "");
    EXPECT_EQ(conv("f32[1,1,3,8]", "f32[6,8,8,8]", ""),
              "its input f32[6,8,8,4] has 4 features in 1 groups, but its kernel f32[1,1,3,8] takes 3 "
              "features per group");
    EXPECT_EQ(conv("f32[1,1,2,8]", "f32[6,8,8,8]", ", feature_group_count=2"), "");
    EXPECT_NE(conv("f32[1,1,4,8]", "f32[6,8,8,8]", ", feature_group_count=2"), "");
    EXPECT_NE(conv("f32[1,1,2,7]", "f32[6,8,8,7]", ", feature_group_count=2"), "");
    EXPECT_EQ(conv("f32[1,1,4,8]", "f32[3,8,8,8]", ", batch_group_count=2"), "");
    EXPECT_NE(conv("f32[1,1,4,8]", "f32[6,8,8,8]", ", batch_group_count=2"), "");
    EXPECT_NE(conv("f32[1,1,4,8]", "f32[1,8,8,8]", ", batch_group_count=4"), "") << "6 are no 4 groups";
}

TEST(WindowFault, ReductionsHaveAnElementAPlaceOfTheWindow) {
    const std::vector<std::string> types{"f32[8,8]", "f32[]"};
    const std::string pool = " reduce-window(p0, p1), window={size=1x2 stride=1x2}, to_apply=sum";
    EXPECT_EQ(fault_in_hlo(types, "f32[8,4]" + pool), "");
    EXPECT_EQ(fault_in_hlo(types, "f32[8,8]" + pool),
              "its window has [8,4] positions in f32[8,8], but its result f32[8,8] has others");
    EXPECT_EQ(fault_in_hlo(types, "f32[8,4] reduce-window(p0, p1), window={size=2 stride=2}, to_apply=sum"),
              "its window has 1 dimensions, but its operand f32[8,8] has 2");
    const std::string pooled =
        "\"stablehlo.reduce_window\"(%0, %1) ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  %s = "
        "stablehlo.add %a, "
        "%b : tensor<f32>\n  stablehlo.return %s : tensor<f32>\n}) {window_dimensions = array<i64: 2>, "
        "window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<f32>) -> ";
    EXPECT_EQ(fault_in_mlir({"8xf32", "f32"}, pooled + "tensor<4xf32>"), "");
    EXPECT_NE(fault_in_mlir({"8xf32", "f32"}, pooled + "tensor<8xf32>"), "");
}

TEST(WindowFault, ScatteredSourcesHaveAnElementAPlace) {
    const auto scatter = [](const std::string& source, const std::string& result) {
        return fault_in_hlo({"f32[8]", source, "f32[]"},
                            result +
                                " select-and-scatter(p0, p1, p2), window={size=2 stride=2}, select=sum, "
                                "scatter=sum");
    };
    EXPECT_EQ(scatter("f32[4]", "f32[8]"), "");
    EXPECT_EQ(scatter("f32[3]", "f32[8]"),
              "its window has [4] positions in f32[8], but its source f32[3] has others");
    EXPECT_NE(scatter("f32[4]", "f32[4]"), "");
}

}  // namespace
}  // namespace dse::ir
