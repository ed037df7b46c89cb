#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

const std::string dot_types = " : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>";

TEST(MlirDot, PrettyAndGenericSayTheSame) {
    for (const std::string text :
         {"%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]",
          "%0 = \"stablehlo.dot_general\"(%x, %y) <{dot_dimension_numbers = "
          "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>",
          "%0 = mhlo.dot %x, %y, precision = [DEFAULT, DEFAULT]"}) {
        const auto dot = attribute_of<DotDimensions>(text + dot_types);
        EXPECT_EQ(dot.lhs_contracting, Sizes{1}) << text;
        EXPECT_EQ(dot.rhs_contracting, Sizes{0}) << text;
        EXPECT_TRUE(dot.lhs_batch.empty());
    }
}

TEST(MlirDot, RefusesFieldsThatThereAreNot) {
    EXPECT_EQ(refusal_of("func.func @f(%x: tensor<4x4xf32>) {\n  %0 = \"stablehlo.dot_general\"(%x, %x) "
                         "<{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dims = [1]>}> : "
                         "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n  return\n}")
                  .substr(0, 90),
              "t.mlir:2:81: 'stablehlo.dot_general' has no field 'lhs_contracting_dims' (did you mean 'lh");
}

TEST(MlirDot, BatchesAndAlgorithms) {
    const Program program = program_of(R"(func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1],
         algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32>
       : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
})");
    const auto* dot = program.attribute_if<DotDimensions>(first(program));
    ASSERT_NE(dot, nullptr);
    EXPECT_EQ(dot->lhs_batch, Sizes{0});
    EXPECT_EQ(dot->rhs_contracting, Sizes{1});
}

ConvolutionDimensions convolution_of(const std::string& attributes, const std::string& result) {
    const Program program =
        program_of("func.func @main(%x: tensor<1x9x9x8xf32>, %w: tensor<3x3x4x16xf32>) {\n" + attributes +
                   " : (tensor<1x9x9x8xf32>, tensor<3x3x4x16xf32>) -> "
                   "tensor<" +
                   result + ">\n  return\n}");
    return *program.attribute_if<ConvolutionDimensions>(first(program));
}

TEST(MlirConvolution, PrettyForm) {
    const auto result = convolution_of(
        "%0 = stablehlo.convolution(%x, %w)\n dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {stride = [2, 2], pad = [[1, 2], [3, 4]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], "
        "reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}",
        "1x5x6x16xf32");
    EXPECT_EQ(result.input_batch, 0);
    EXPECT_EQ(result.input_feature, 3);
    EXPECT_EQ(result.kernel_input_feature, 2);
    EXPECT_EQ(result.kernel_output_feature, 3);
    EXPECT_EQ(result.output_spatial, (Sizes{1, 2}));
    ASSERT_EQ(result.window.size(), 2U);
    EXPECT_EQ(result.window[1].size, 3);
    EXPECT_EQ(result.window[0].stride, 2);
    EXPECT_EQ(result.window[1].pad_low, 3);
    EXPECT_EQ(result.window[1].pad_high, 4);
    EXPECT_EQ(result.window[1].window_dilation, 2);
    EXPECT_FALSE(result.window[0].reversed);
    EXPECT_TRUE(result.window[1].reversed);
    EXPECT_EQ(result.feature_groups, 2);
}

TEST(MlirConvolution, GenericForm) {
    const auto result = convolution_of(
        "%0 = \"mhlo.convolution\"(%x, %w) {batch_group_count = 1 : i64, dimension_numbers = "
        "#mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, padding = "
        "dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>, rhs_dilation = dense<2> : tensor<2xi64>, window_strides "
        "= array<i64: 2, 2>}",
        "1x4x6x16xf32");
    EXPECT_EQ(result.kernel_spatial, (Sizes{0, 1}));
    EXPECT_EQ(result.window[0].pad_high, 2);
    EXPECT_EQ(result.window[1].window_dilation, 2);
    EXPECT_EQ(result.window[1].stride, 2);
    EXPECT_EQ(result.feature_groups, 2);
}

TEST(MlirConvolution, RefusesAWindowOfAnotherRank) {
    EXPECT_THROW(convolution_of("%0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, "
                                "o]->[b, 0, 1, f], window = {stride = [2]} {}",
                                "1x4x4x16xf32"),
                 InputError);
}

}  // namespace
}  // namespace dse::ir::mlir
