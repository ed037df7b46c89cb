#include "frontend/lowering/gemm_shape.hpp"

#include <gtest/gtest.h>

#include "support/program_maker.hpp"

namespace dse::frontend {
namespace {

using ir::ElementType;
using ir::Opcode;

const ir::Operation& last(const test::ProgramMaker& maker) {
    return maker.program[maker.current].operations.back();
}

TEST(GemmShape, FollowsTheDimensionNumbersOfADot) {
    // [7, 2, 3, 5] · [5, 7, 11], batch 7, contracting 5: m = 2 · 3, n = 11.
    test::ProgramMaker maker;
    maker.open_entry();
    const auto lhs = maker.argument(maker.bf16({7, 2, 3, 5}));
    const auto rhs = maker.argument(maker.bf16({5, 7, 11}));
    maker.op(Opcode::dot, maker.bf16({7, 2, 3, 11}), {lhs, rhs}, ir::DotDimensions{{0}, {1}, {3}, {0}});
    const auto shape = gemm_shape(maker.program, last(maker));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->batch, 7);
    EXPECT_EQ(shape->m, 6);
    EXPECT_EQ(shape->n, 11);
    EXPECT_EQ(shape->k, 5);
}

TEST(GemmShape, WithoutNumbersTheLastDimensionMeetsTheLastButOne) {
    test::ProgramMaker maker;
    maker.open_entry();
    const auto lhs = maker.argument(maker.bf16({6, 2, 3}));
    const auto rhs = maker.argument(maker.bf16({6, 3, 4}));
    maker.op(Opcode::dot, maker.bf16({6, 2, 4}), {lhs, rhs});
    const auto shape = gemm_shape(maker.program, last(maker));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->batch, 6);
    EXPECT_EQ(shape->m, 2);
    EXPECT_EQ(shape->n, 4);
    EXPECT_EQ(shape->k, 3);
}

TEST(GemmShape, AConvolutionIsAnImplicitProduct) {
    // ResNet-50's first one: 224 × 224 × 3 to 112 × 112 × 64 by 7 × 7: 2 · 112² · 64 · 147 FLOPs an image.
    test::ProgramMaker maker;
    maker.open_entry();
    const auto image = maker.argument(maker.bf16({8, 224, 224, 3}));
    const auto kernel = maker.argument(maker.bf16({7, 7, 3, 64}));
    ir::ConvolutionDimensions dimensions;
    dimensions.window = {{7, 2, 3, 3}, {7, 2, 3, 3}};
    dimensions.input_feature = 3;
    dimensions.input_spatial = {1, 2};
    dimensions.kernel_input_feature = 2;
    dimensions.kernel_output_feature = 3;
    dimensions.kernel_spatial = {0, 1};
    dimensions.output_feature = 3;
    dimensions.output_spatial = {1, 2};
    maker.op(Opcode::convolution, maker.bf16({8, 112, 112, 64}), {image, kernel}, dimensions);
    const auto shape = gemm_shape(maker.program, last(maker));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->m, 8.0 * 112 * 112);
    EXPECT_EQ(shape->n, 64);
    EXPECT_EQ(shape->k, 147);
}

TEST(GemmShape, ADepthwiseConvolutionIsABatchOfThem) {
    test::ProgramMaker maker;
    maker.open_entry();
    const auto image = maker.argument(maker.bf16({1, 32, 32, 16}));
    const auto kernel = maker.argument(maker.bf16({3, 3, 1, 16}));
    ir::ConvolutionDimensions dimensions;
    dimensions.input_feature = 3;
    dimensions.input_spatial = {1, 2};
    dimensions.kernel_input_feature = 2;
    dimensions.kernel_output_feature = 3;
    dimensions.kernel_spatial = {0, 1};
    dimensions.output_feature = 3;
    dimensions.output_spatial = {1, 2};
    dimensions.feature_groups = 16;
    maker.op(Opcode::convolution, maker.bf16({1, 32, 32, 16}), {image, kernel}, dimensions);
    const auto shape = gemm_shape(maker.program, last(maker));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->batch, 16);
    EXPECT_EQ(shape->n, 1);
    EXPECT_EQ(shape->k, 9);
    EXPECT_EQ(shape->m, 32.0 * 32);
}

TEST(GemmShape, NothingElseIsOne) {
    test::ProgramMaker maker;
    maker.open_entry();
    const auto x = maker.argument(maker.bf16({2, 2}));
    maker.op(Opcode::add, maker.bf16({2, 2}), {x, x});
    EXPECT_FALSE(gemm_shape(maker.program, last(maker)));
}

}  // namespace
}  // namespace dse::frontend
