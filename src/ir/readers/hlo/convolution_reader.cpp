#include "convolution_reader.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace dse::ir::hlo {
namespace {

/// `1_2x3_4`: a list of lists of numbers.
std::vector<Sizes> read_numbers(Scanner& scanner) {
    scanner.skip();
    const std::size_t begin = scanner.position();
    const std::string_view word = scanner.word();
    std::vector<Sizes> result(1);
    const char* at = word.data();
    const char* end = word.data() + word.size();
    for (;;) {
        std::int64_t number = 0;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc{}) scanner.refuse(begin, "expected numbers like 3x3 or 1_1x0_2");
        result.back().push_back(number);
        if (next == end) return result;
        if (*next != 'x' && *next != '_') scanner.refuse(begin, "expected numbers like 3x3 or 1_1x0_2");
        if (*next == 'x') result.emplace_back();
        at = next + 1;
    }
}

void fill(WindowDimension& dimension, std::string_view key, const Sizes& numbers) {
    if (key == "size") dimension.size = numbers[0];
    if (key == "stride") dimension.stride = numbers[0];
    if (key == "lhs_dilate") dimension.base_dilation = numbers[0];
    if (key == "rhs_dilate") dimension.window_dilation = numbers[0];
    if (key == "rhs_reversal") dimension.reversed = numbers[0] != 0;
    if (key == "pad") {
        dimension.pad_low = numbers[0];
        dimension.pad_high = numbers.size() > 1 ? numbers[1] : numbers[0];
    }
}

bool is_positive(const WindowDimension& dimension) {
    return dimension.size > 0 && dimension.stride > 0 && dimension.base_dilation > 0 &&
           dimension.window_dilation > 0;
}

void place(Sizes& spatial, std::size_t number, std::int64_t dimension) {
    if (number >= spatial.size()) spatial.resize(number + 1, -1);
    spatial[number] = dimension;
}

/// Parses one side of the labels: two letters, and digits for the spatial dimensions.
void read_side(Scanner& scanner, std::string_view side, char first, std::int64_t& first_dimension,
               char second, std::int64_t& second_dimension, Sizes& spatial) {
    first_dimension = second_dimension = -1;
    spatial.clear();
    for (std::size_t d = 0; d < side.size(); ++d) {
        const auto dimension = static_cast<std::int64_t>(d);
        if (side[d] == first)
            first_dimension = dimension;
        else if (side[d] == second)
            second_dimension = dimension;
        else if (side[d] >= '0' && side[d] <= '9')
            place(spatial, static_cast<std::size_t>(side[d] - '0'), dimension);
        else
            scanner.refuse(fmt::format("'{}' labels no dimension", side[d]));
    }
    bool complete = first_dimension >= 0 && second_dimension >= 0;
    for (const std::int64_t dimension : spatial) complete = complete && dimension >= 0;
    if (!complete) scanner.refuse(fmt::format("the labels '{}' must name each dimension exactly once", side));
}

}  // namespace

std::vector<WindowDimension> read_window(Scanner& scanner) {
    std::vector<WindowDimension> window;
    scanner.expect('{');
    while (!scanner.accept('}')) {
        const std::string_view key = scanner.word();
        if (key.empty()) scanner.refuse_expected("a part of the window");
        scanner.expect('=');
        const std::vector<Sizes> numbers = read_numbers(scanner);
        if (window.empty()) window.resize(numbers.size());
        if (window.size() != numbers.size())
            scanner.refuse(fmt::format("the window has {} dimensions, but its {} has {}", window.size(), key,
                                       numbers.size()));
        for (std::size_t d = 0; d < window.size(); ++d) fill(window[d], key, numbers[d]);
    }
    for (const WindowDimension& dimension : window)
        if (!is_positive(dimension))
            scanner.refuse("sizes, strides and dilations of a window must be at least 1");
    return window;
}

void read_dimension_labels(Scanner& scanner, ConvolutionDimensions& convolution) {
    const std::string_view operands = scanner.word();
    const std::size_t border = operands.find('_');
    if (border == std::string_view::npos) scanner.refuse_expected("labels like b01f_01io->b01f");
    scanner.expect("->");
    const std::string_view result = scanner.word();
    read_side(scanner, operands.substr(0, border), 'b', convolution.input_batch, 'f',
              convolution.input_feature, convolution.input_spatial);
    read_side(scanner, operands.substr(border + 1), 'i', convolution.kernel_input_feature, 'o',
              convolution.kernel_output_feature, convolution.kernel_spatial);
    read_side(scanner, result, 'b', convolution.output_batch, 'f', convolution.output_feature,
              convolution.output_spatial);
    if (convolution.input_spatial.size() != convolution.kernel_spatial.size() ||
        convolution.input_spatial.size() != convolution.output_spatial.size())
        scanner.refuse(
            "the labels of operand, kernel and result have different numbers of spatial dimensions");
}

SliceRanges read_slice(Scanner& scanner) {
    SliceRanges slice;
    scanner.expect('{');
    if (scanner.accept('}')) return slice;
    do {
        scanner.expect('[');
        slice.starts.push_back(scanner.integer());
        scanner.expect(':');
        slice.limits.push_back(scanner.integer());
        slice.strides.push_back(scanner.accept(':') ? scanner.integer() : 1);
        scanner.expect(']');
    } while (scanner.accept(','));
    scanner.expect('}');
    return slice;
}

PadSizes read_padding(Scanner& scanner) {
    PadSizes pad;
    for (const Sizes& numbers : read_numbers(scanner)) {
        if (numbers.size() < 2) scanner.refuse("padding has a low and a high side: 1_2");
        pad.low.push_back(numbers[0]);
        pad.high.push_back(numbers[1]);
        pad.interior.push_back(numbers.size() > 2 ? numbers[2] : 0);
    }
    return pad;
}

ConvolutionDimensions* convolution_of(InstructionDraft& draft) {
    if (auto* call = std::get_if<ForeignCall>(&draft.attribute)) {
        if (!call->convolution) call->convolution.emplace();
        return &*call->convolution;
    }
    return std::get_if<ConvolutionDimensions>(&draft.attribute);
}

}  // namespace dse::ir::hlo
