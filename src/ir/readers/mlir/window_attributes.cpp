#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ir/readers/mlir/meaning.hpp"

namespace dse::ir::mlir {
namespace {

// Sets a field of each dimension; without values the defaults are kept.
void set(const Meaning& meaning, std::vector<WindowDimension>& window, std::string_view text,
         std::int64_t WindowDimension::*field) {
    const Sizes values = meaning.text.sizes(text);
    if (values.empty()) return;
    if (values.size() != window.size())
        meaning.text.refuse(
            text, fmt::format("{} values for a window of {} dimensions", values.size(), window.size()));
    for (std::size_t i = 0; i < values.size(); ++i) window[i].*field = values[i];
}

void set_padding(const Meaning& meaning, std::vector<WindowDimension>& window, std::string_view text) {
    const Sizes values = meaning.text.sizes(text);
    if (values.empty()) return;
    if (values.size() != 2 * window.size())
        meaning.text.refuse(text, fmt::format("{} values, but a window of {} dimensions is padded at {} ends",
                                              values.size(), window.size(), 2 * window.size()));
    for (std::size_t i = 0; i < window.size(); ++i) {
        window[i].pad_low = values[2 * i];
        window[i].pad_high = values[2 * i + 1];
    }
}

}  // namespace

// Convolutions write these values as `window = {stride = …}` or as attributes, other operations only as
// attributes.
std::vector<WindowDimension> sliding_window(const Meaning& meaning, const Sizes& sizes) {
    std::vector<WindowDimension> window(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) window[i].size = sizes[i];
    Statement pretty;
    const std::string_view braces = meaning.statement.value("window");
    if (!braces.empty()) pretty.entries = meaning.text.fields(braces);
    const auto value = [&](std::string_view in_braces, std::string_view key, std::string_view other) {
        const std::string_view text = pretty.value(in_braces);
        return text.empty() ? meaning.statement.value(key, other) : text;
    };
    set(meaning, window, value("stride", "window_strides", {}), &WindowDimension::stride);
    set(meaning, window, value("lhs_dilate", "lhs_dilation", "base_dilations"),
        &WindowDimension::base_dilation);
    set(meaning, window, value("rhs_dilate", "rhs_dilation", "window_dilations"),
        &WindowDimension::window_dilation);
    set_padding(meaning, window, value("pad", "padding", {}));
    const Sizes reversed = meaning.text.sizes(value("reverse", "window_reversal", {}));
    for (std::size_t i = 0; i < std::min(reversed.size(), window.size()); ++i)
        window[i].reversed = reversed[i] != 0;
    return window;
}

Attribute window(const Meaning& meaning) {
    return Window{sliding_window(meaning, meaning.sizes("window_dimensions"))};
}

Attribute fft_lengths(const Meaning& meaning) {
    return FftLengths{meaning.sizes("length", "fft_length")};
}

}  // namespace dse::ir::mlir
