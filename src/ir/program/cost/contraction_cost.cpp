#include "ir/program/cost/contraction_cost.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace dse::ir {
namespace {

// More positions than any window has; beyond this number all are counted as valid.
constexpr std::int64_t most_places = 1'000'000;

double size_at(const Type& type, std::int64_t dimension) {
    const auto d = static_cast<std::size_t>(dimension);
    if (dimension < 0 || d >= type.sizes.size() || type.sizes[d] == unknown_size) return 0;
    return static_cast<double>(type.sizes[d]);
}

double elements(const Type& type) {
    double product = 1;
    for (const std::int64_t size : type.sizes)
        product *= size == unknown_size ? 0 : static_cast<double>(size);
    return product;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// The inverse x of a modulo m: a·x ≡ 1 (mod m). \pre a and m are coprime
std::int64_t inverse(std::int64_t a, std::int64_t m) {
    std::int64_t old_r = a % m;
    std::int64_t r = m;
    std::int64_t old_s = 1;
    std::int64_t s = 0;
    while (r != 0) {
        const std::int64_t quotient = old_r / r;
        old_r = std::exchange(r, old_r - quotient * r);
        old_s = std::exchange(s, old_s - quotient * s);
    }
    return (old_s % m + m) % m;
}

/// Number of i in [0, count) for which offset + i·stride = dilation·place has a solution in [0, input).
/// \pre stride, dilation, input > 0
std::int64_t places(std::int64_t offset, std::int64_t stride, std::int64_t count, std::int64_t dilation,
                    std::int64_t input) {
    const std::int64_t low = std::max<std::int64_t>(0, -floor_divide(offset, stride));
    const std::int64_t high = std::min(count - 1, floor_divide(dilation * (input - 1) - offset, stride));
    if (low > high) return 0;
    const std::int64_t common = std::gcd(stride, dilation);
    if (offset % common != 0) return 0;
    const std::int64_t period = dilation / common;
    if (period == 1) return high - low + 1;
    // offset + i·stride ≡ 0 (mod dilation)
    const std::int64_t target = ((-offset / common) % period + period) % period;
    const std::int64_t first = target * inverse(stride / common % period, period) % period;
    const std::int64_t begin = low + ((first - low) % period + period) % period;
    return begin > high ? 0 : (high - begin) / period + 1;
}

bool is_moderate(const WindowDimension& window) {
    const auto below = [](std::int64_t number) { return number > -most_places && number < most_places; };
    return below(window.stride) && below(window.pad_low) && below(window.base_dilation) &&
           below(window.window_dilation);
}

}  // namespace

double product_flops(const Type& lhs, const Type& rhs, const Type& result, const DotDimensions& dot) {
    double flops = 2 * elements(result);
    for (const std::int64_t dimension : dot.lhs_contracting) flops *= size_at(lhs, dimension);
    const std::size_t free = lhs.sizes.size() + rhs.sizes.size() - dot.lhs_batch.size() -
                             2 * dot.lhs_contracting.size() - dot.rhs_batch.size();
    const bool grouped = result.sizes.size() == dot.lhs_batch.size() + free + 1;
    const double groups = grouped ? size_at(result, 0) : 1;
    return groups > 0 ? flops / groups : 0;
}

double valid_positions(std::int64_t input, std::int64_t kernel, std::int64_t output,
                       const WindowDimension& window) {
    if (input <= 0 || kernel <= 0 || output <= 0) return 0;
    const bool small = std::max({input, kernel, output}) < most_places && is_moderate(window);
    if (!small) return static_cast<double>(kernel) * static_cast<double>(output);
    const bool along_kernel = kernel <= output;
    const std::int64_t outer = along_kernel ? kernel : output;
    const std::int64_t outer_step = along_kernel ? window.window_dilation : window.stride;
    const std::int64_t inner_step = along_kernel ? window.stride : window.window_dilation;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < outer; ++i)
        count += places(i * outer_step - window.pad_low, inner_step, along_kernel ? output : kernel,
                        window.base_dilation, input);
    return static_cast<double>(count);
}

ConvolutionFlops convolution_flops(const Type& lhs, const Type& rhs, const Type& result,
                                   const ConvolutionDimensions& convolution) {
    const double features =
        size_at(lhs, convolution.input_feature) / static_cast<double>(convolution.feature_groups);
    const double batch =
        size_at(lhs, convolution.input_batch) / static_cast<double>(convolution.batch_groups);
    ConvolutionFlops flops;
    flops.valid = flops.full = 2 * features * size_at(result, convolution.output_feature) * batch;
    for (std::size_t d = 0; d < convolution.input_spatial.size() && d < convolution.kernel_spatial.size() &&
                            d < convolution.output_spatial.size();
         ++d) {
        const double input = size_at(lhs, convolution.input_spatial[d]);
        const double kernel = size_at(rhs, convolution.kernel_spatial[d]);
        const double output = size_at(result, convolution.output_spatial[d]);
        const WindowDimension window =
            d < convolution.window.size() ? convolution.window[d] : WindowDimension{};
        flops.full *= kernel * output;
        flops.valid *= valid_positions(static_cast<std::int64_t>(input), static_cast<std::int64_t>(kernel),
                                       static_cast<std::int64_t>(output), window);
    }
    return flops;
}

}  // namespace dse::ir
