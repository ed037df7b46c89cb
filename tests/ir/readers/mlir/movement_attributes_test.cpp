#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

TEST(MlirDimensions, UnderAllTheirNames) {
    const std::string types = " : (tensor<8x16xf32>) -> tensor<16x8xf32>";
    for (const std::string text :
         {"%0 = stablehlo.transpose %x, dims = [1, 0]",
          "%0 = \"mhlo.transpose\"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>}",
          "%0 = \"stablehlo.transpose\"(%x) <{permutation = array<i64: 1, 0>}>"})
        EXPECT_EQ(attribute_of<Dimensions>(text + types).numbers, (Sizes{1, 0})) << text;
    EXPECT_EQ(attribute_of<Dimensions>("%0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<8x16xf32>, "
                                       "tensor<8x16xf32>) -> tensor<8x32xf32>")
                  .numbers,
              Sizes{1});
    EXPECT_EQ(attribute_of<Dimensions>("%0 = stablehlo.iota dim = 1 : tensor<8x16xi32>").numbers, Sizes{1});
    EXPECT_EQ(attribute_of<Dimensions>(
                  "%0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0, 1] : "
                  "(tensor<8x16xf32>, tensor<f32>) -> tensor<f32>")
                  .numbers,
              (Sizes{0, 1}));
}

TEST(MlirSlices, PrettyAndGeneric) {
    const auto pretty = attribute_of<SliceRanges>(
        "%0 = stablehlo.slice %x [0:8, 1:9:2] : (tensor<8x16xf32>) -> tensor<8x4xf32>");
    EXPECT_EQ(pretty.limits, (Sizes{8, 9}));
    EXPECT_EQ(pretty.strides, (Sizes{1, 2}));
    const auto generic = attribute_of<SliceRanges>(
        "%0 = \"stablehlo.slice\"(%x) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 8, 9>, "
        "strides = array<i64: 1, 2>} : (tensor<8x16xf32>) -> tensor<8x4xf32>");
    EXPECT_EQ(generic.starts, (Sizes{0, 1}));
    EXPECT_EQ(generic.limits, pretty.limits);
    EXPECT_EQ(attribute_of<SliceSizes>("%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 16] : "
                                       "(tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>")
                  .sizes,
              (Sizes{1, 16}));
}

TEST(MlirPad, MayCutOff) {
    const auto pad = attribute_of<PadSizes>(
        "%0 = stablehlo.pad %x, %s, low = [-1, 0], high = [0, 2], interior = [0, 1] : (tensor<8x16xf32>, "
        "tensor<f32>) -> tensor<7x33xf32>");
    EXPECT_EQ(pad.low, (Sizes{-1, 0}));
    EXPECT_EQ(pad.interior, (Sizes{0, 1}));
}

TEST(MlirGather, ItsDimensions) {
    const auto gather = attribute_of<GatherDimensions>(
        "%0 = \"stablehlo.gather\"(%x, %y) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], "
        "collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: "
        "8, "
        "1>}> : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x16x4xf32>");
    EXPECT_EQ(gather.offset, Sizes{0});
    EXPECT_EQ(gather.collapsed, Sizes{1});
    EXPECT_EQ(gather.start_index_map, Sizes{1});
    EXPECT_EQ(gather.index_vector, 2);
    EXPECT_EQ(gather.slice_sizes, (Sizes{8, 1}));
    EXPECT_TRUE(gather.operand_batching.empty());
}

TEST(MlirScatter, ItsDimensions) {
    const auto scatter = attribute_of<ScatterDimensions>(R"(%0 = "stablehlo.scatter"(%x, %i, %s) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0]>, unique_indices = true}
      : (tensor<8x16xf32>, tensor<i32>, tensor<f32>) -> tensor<8x16xf32>)");
    EXPECT_EQ(scatter.inserted_window, (Sizes{0, 1}));
    EXPECT_EQ(scatter.scatter_to_operand, Sizes{0});
    EXPECT_EQ(scatter.index_vector, 0);
}

}  // namespace
}  // namespace dse::ir::mlir
