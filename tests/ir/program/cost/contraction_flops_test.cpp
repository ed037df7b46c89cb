#include <gtest/gtest.h>

#include "ir/program/cost/flop_count.hpp"
#include "ir/program/cost/flop_rules.hpp"

namespace dse::ir::test {
namespace {

// [64, 8] × [8, 32]: 64 · 32 results of 8 multiply-adds.
TEST(ContractionFlops, TwoAMultiplyAdd) {
    const Cost cost = flop_count(Opcode::dot, {{64, 8}, {8, 32}}, {64, 32}, DotDimensions{{}, {}, {1}, {0}});
    EXPECT_EQ(cost.flops, 2 * 64 * 32 * 8);
    EXPECT_EQ(cost.dot, cost.flops);
}

TEST(ContractionFlops, AProductWithoutDimensionsCountsNothing) {
    EXPECT_EQ(flop_count(Opcode::einsum, {{64, 8}, {8, 32}}, {64, 32}), Cost{});
    EXPECT_EQ(flop_count(Opcode::dot, {{64, 8}}, {64}, DotDimensions{}), Cost{});
}

ConvolutionDimensions rows_of_three() {
    ConvolutionDimensions dimensions;
    WindowDimension window;
    window.size = 3;
    window.pad_low = window.pad_high = 1;
    dimensions.window = {window};
    dimensions.input_feature = 1;
    dimensions.input_spatial = {2};
    dimensions.kernel_output_feature = 0;
    dimensions.kernel_input_feature = 1;
    dimensions.kernel_spatial = {2};
    dimensions.output_feature = 1;
    dimensions.output_spatial = {2};
    return dimensions;
}

// 2 images of 4 features to 6, rows of 8 under a window of 3 with one element of padding on each side: of
// the 8 · 3 positions the first and the last lie in the padding.
TEST(ContractionFlops, AConvolutionCountsValidPositionsAndFullWindows) {
    const Cost cost = flop_count(Opcode::convolution, {{2, 4, 8}, {6, 4, 3}}, {2, 6, 8}, rows_of_three());
    EXPECT_EQ(cost.convolution_full, 2 * 2 * 4 * 6 * (8 * 3));
    EXPECT_EQ(cost.flops, 2 * 2 * 4 * 6 * (8 * 3 - 2));
    EXPECT_EQ(cost.convolution, cost.flops);
    EXPECT_EQ(cost.dot, 0);
}

TEST(ContractionFlops, OfMatrixAlgorithms) {
    EXPECT_EQ(flop_count(Opcode::cholesky, {{8, 8}}, {8, 8}).flops, 170);  // ⌊8³ / 3⌋
    EXPECT_EQ(flop_count(Opcode::triangular_solve, {{8, 8}, {8, 2}}, {8, 2}).flops, 2 * 16 * 8);
}

// Of (gradient, input, weight) to a tuple: one convolution of the forward's size for each of input and weight
// whose gradient has a type, 2 · 2·6·8 · 4·3 FLOPs.
TEST(ContractionFlops, GradientsCountWhereTheyAreMade) {
    const auto gradients = [](bool of_input) {
        WrittenProgram p;
        Type untyped;
        untyped.kind = Type::Kind::untyped;
        Type tuple;
        tuple.kind = Type::Kind::tuple;
        tuple.members = {of_input ? p.array({2, 4, 8}) : p.program.types.add(untyped), p.array({6, 4, 3})};
        const std::vector<TypeId> results{p.program.types.add(tuple)};
        const std::vector<ValueId> operands{p.argument({2, 6, 8}), p.argument({2, 4, 8}),
                                            p.argument({6, 4, 3})};
        const ValueId made = p.builder.value(
            p.main, {.opcode = Opcode::convolution_backward, .operands = operands, .results = results});
        return operation_flops(p.program, *p.program.definition(made), {}).convolution;
    };
    EXPECT_EQ(gradients(true), 2 * 2.0 * (2 * 6 * 8) * (4 * 3));
    EXPECT_EQ(gradients(false), 2.0 * (2 * 6 * 8) * (4 * 3));
    EXPECT_EQ(flop_count(Opcode::convolution_backward, {{2, 6, 8}, {2, 4, 8}, {6, 4, 3}}, {2, 4, 8}), Cost{});
    EXPECT_EQ(flop_count(Opcode::convolution_backward, {{2, 6, 8}, {2, 4, 8}}, {2, 4, 8}), Cost{});
}

}  // namespace
}  // namespace dse::ir::test
