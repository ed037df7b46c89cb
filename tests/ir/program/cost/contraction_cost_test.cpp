#include "ir/program/cost/contraction_cost.hpp"

#include <random>

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

Type array(std::vector<std::int64_t> sizes) {
    Type type;
    type.element = ElementType::f32;
    type.sizes = std::move(sizes);
    return type;
}

// XLA's rule said place by place.
std::int64_t counted(std::int64_t input, std::int64_t kernel, std::int64_t output,
                     const WindowDimension& window) {
    std::int64_t count = 0;
    for (std::int64_t k = 0; k < kernel; ++k)
        for (std::int64_t o = 0; o < output; ++o) {
            const std::int64_t place = o * window.stride - window.pad_low + k * window.window_dilation;
            if (place >= 0 && place % window.base_dilation == 0 && place / window.base_dilation < input)
                ++count;
        }
    return count;
}

TEST(ProductFlops, AreTwiceTheMultiplyAdds) {
    const DotDimensions batched{{0}, {0}, {2}, {1}};
    EXPECT_EQ(product_flops(array({4, 8, 16}), array({4, 16, 32}), array({4, 8, 32}), batched),
              2.0 * 4 * 8 * 16 * 32);
    const DotDimensions outer;
    EXPECT_EQ(product_flops(array({3}), array({5}), array({3, 5}), outer), 30);
}

// 2 × 6 rows × 8 × 3 columns, whichever group a row belongs to: the groups are in the weights, or, where the
// rows are contracted, in the result.
TEST(ProductFlops, GroupsOfARaggedProductShareTheWork) {
    EXPECT_EQ(product_flops(array({6, 8}), array({4, 8, 3}), array({6, 3}), {{}, {}, {1}, {1}}),
              2.0 * 6 * 8 * 3);
    EXPECT_EQ(product_flops(array({6, 8}), array({6, 3}), array({4, 8, 3}), {{}, {}, {0}, {0}}),
              2.0 * 6 * 8 * 3);
}

TEST(ValidPositions, ByHand) {
    WindowDimension window;
    window.pad_low = window.pad_high = 1;
    // Kernel of 3 over 4 places with padding 1: the first and the last place each miss one.
    EXPECT_EQ(valid_positions(4, 3, 4, window), 10);
    EXPECT_EQ(valid_positions(0, 3, 4, window), 0);
    window.base_dilation = 2;
    window.pad_low = 0;
    // Operand x.x.x: kernel of 2 over places 0 … 3 meets one element each.
    EXPECT_EQ(valid_positions(3, 2, 4, window), 4);
}

TEST(ValidPositions, AreThoseOfXlasRule) {
    std::mt19937_64 random{5};
    const auto draw = [&random](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution{low, high}(random);
    };
    for (int i = 0; i < 20'000; ++i) {
        WindowDimension window;
        window.stride = draw(1, 5);
        window.pad_low = draw(-4, 8);
        window.base_dilation = draw(1, 6);
        window.window_dilation = draw(1, 5);
        const std::int64_t input = draw(1, 12);
        const std::int64_t kernel = draw(1, 9);
        const std::int64_t output = draw(1, 12);
        ASSERT_EQ(valid_positions(input, kernel, output, window), counted(input, kernel, output, window))
            << input << ' ' << kernel << ' ' << output << ' ' << window.stride << ' ' << window.pad_low << ' '
            << window.base_dilation << ' ' << window.window_dilation;
    }
}

TEST(ValidPositions, TakeNoTimeForNonsense) {
    WindowDimension window;
    window.stride = std::int64_t{1} << 60;
    EXPECT_EQ(valid_positions(std::int64_t{1} << 60, 3, 5, window), 15);
}

// 3×3 over 1×4×4×2 → 1×4×4×8 with padding 1: valid 10 · 10 of the full 12 · 12 positions.
TEST(ConvolutionFlops, CountValidPositionsOrFullWindows) {
    ConvolutionDimensions convolution;
    convolution.window.assign(2, {3, 1, 1, 1, 1, 1, false});
    convolution.input_feature = convolution.output_feature = 3;
    convolution.input_spatial = convolution.output_spatial = {1, 2};
    convolution.kernel_spatial = {0, 1};
    const ConvolutionFlops flops =
        convolution_flops(array({1, 4, 4, 2}), array({3, 3, 2, 8}), array({1, 4, 4, 8}), convolution);
    EXPECT_EQ(flops.valid, 2.0 * 2 * 8 * 100);
    EXPECT_EQ(flops.full, 2.0 * 2 * 8 * 144);
    convolution.feature_groups = 2;
    EXPECT_EQ(
        convolution_flops(array({1, 4, 4, 2}), array({3, 3, 1, 8}), array({1, 4, 4, 8}), convolution).full,
        2.0 * 8 * 144);
}

}  // namespace
}  // namespace dse::ir
