#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

TEST(MlirWindow, OfReduceWindow) {
    const auto window = attribute_of<Window>(R"(%0 = "stablehlo.reduce_window"(%x, %s) <{
      padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>,
      window_strides = array<i64: 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<4x17xf32>)");
    ASSERT_EQ(window.dimensions.size(), 2U);
    EXPECT_EQ(window.dimensions[0].size, 3);
    EXPECT_EQ(window.dimensions[0].stride, 2);
    EXPECT_EQ(window.dimensions[1].pad_low, 0);
    EXPECT_EQ(window.dimensions[1].pad_high, 2);
    EXPECT_EQ(window.dimensions[1].window_dilation, 1);
}

TEST(MlirWindow, LengthsOfFft) {
    EXPECT_EQ(
        attribute_of<FftLengths>("%0 = stablehlo.fft %x, type = RFFT, length = [16] : (tensor<8x16xf32>) -> "
                                 "tensor<8x9xcomplex<f32>>")
            .lengths,
        Sizes{16});
}

}  // namespace
}  // namespace dse::ir::mlir
