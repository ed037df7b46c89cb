#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ir/readers/mlir/meaning.hpp"

namespace dse::ir::mlir {
namespace {

// `[0] x [1]`
std::array<Sizes, 2> pair(const Meaning& meaning, std::string_view text) {
    const std::size_t second = text.find('[', 1);
    if (text.empty()) return {};
    if (second == std::string_view::npos) meaning.text.refuse(text, "expected two lists, '[…] x […]'");
    return {meaning.text.sizes(text), meaning.text.sizes(text.substr(second))};
}

ProductPrecision precision(const Meaning& meaning) {
    return std::max(product_precision(meaning.statement.value("precision", "precision_config")),
                    algorithm_precision(meaning.statement.value("algorithm")));
}

DotDimensions of_fields(const Meaning& meaning, std::string_view text) {
    const Fields fields{meaning,
                        text,
                        {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                         "rhs_contracting_dimensions", "lhs_ragged_dimensions", "rhs_group_dimensions"}};
    return {fields.sizes("lhs_batching_dimensions"), fields.sizes("rhs_batching_dimensions"),
            fields.sizes("lhs_contracting_dimensions"), fields.sizes("rhs_contracting_dimensions"),
            precision(meaning)};
}

// The letters and numbers of one of the three lists in `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
struct Layout {
    std::int64_t first{0};   // batch, or the kernel's output feature
    std::int64_t second{0};  // feature, or the kernel's input feature
    Sizes spatial;
};

Layout layout(const Meaning& meaning, Tokens& tokens, char first, char second) {
    Layout result;
    tokens.expect('[');
    for (std::int64_t position = 0; !tokens.accept(']'); ++position) {
        tokens.skip();
        const char c = tokens.peek();
        if (c == first) {
            result.first = position;
            tokens.advance();
        } else if (c == second) {
            result.second = position;
            tokens.advance();
        } else if (c == '?') {
            tokens.advance();
        } else {
            const std::int64_t number = tokens.integer();
            if (number < 0 || number > 64)
                tokens.refuse(
                    fmt::format("'{}' has no spatial dimension {}", meaning.statement.name, number));
            const auto n = static_cast<std::size_t>(number);
            if (result.spatial.size() <= n) result.spatial.resize(n + 1);
            result.spatial[n] = position;
        }
        tokens.accept(',');
    }
    return result;
}

void read_lists(const Meaning& meaning, std::string_view text, ConvolutionDimensions& result) {
    Tokens& tokens = meaning.text.at(text);
    const Layout input = layout(meaning, tokens, 'b', 'f');
    tokens.expect('x');
    const Layout kernel = layout(meaning, tokens, 'o', 'i');
    tokens.expect("->");
    const Layout output = layout(meaning, tokens, 'b', 'f');
    result.input_batch = input.first;
    result.input_feature = input.second;
    result.input_spatial = input.spatial;
    result.kernel_output_feature = kernel.first;
    result.kernel_input_feature = kernel.second;
    result.kernel_spatial = kernel.spatial;
    result.output_batch = output.first;
    result.output_feature = output.second;
    result.output_spatial = output.spatial;
}

// `#stablehlo.conv<raw input_batch_dimension = 0, …>`, used if the lists cannot express it.
void read_raw(const Meaning& meaning, std::string_view text, ConvolutionDimensions& result) {
    const Fields fields{
        meaning,
        text,
        {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
         "kernel_output_feature_dimension", "kernel_input_feature_dimension", "kernel_spatial_dimensions",
         "output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"}};
    result.input_batch = fields.integer("input_batch_dimension");
    result.input_feature = fields.integer("input_feature_dimension");
    result.input_spatial = fields.sizes("input_spatial_dimensions");
    result.kernel_output_feature = fields.integer("kernel_output_feature_dimension");
    result.kernel_input_feature = fields.integer("kernel_input_feature_dimension");
    result.kernel_spatial = fields.sizes("kernel_spatial_dimensions");
    result.output_batch = fields.integer("output_batch_dimension");
    result.output_feature = fields.integer("output_feature_dimension");
    result.output_spatial = fields.sizes("output_spatial_dimensions");
}

void read_dimension_numbers(const Meaning& meaning, ConvolutionDimensions& result) {
    std::string_view text =
        meaning.text.resolved(meaning.statement.value("dim_numbers", "dimension_numbers"));
    if (text.empty()) return;
    const std::size_t lists = text.find('[');
    if (text.find("->") != std::string_view::npos && lists != std::string_view::npos)
        read_lists(meaning, text.substr(lists), result);
    else
        read_raw(meaning, text, result);
}

}  // namespace

Attribute dot_general(const Meaning& meaning) {
    const std::string_view fields = meaning.statement.value("dot_dimension_numbers");
    if (!fields.empty()) return of_fields(meaning, fields);
    const auto batch = pair(meaning, meaning.statement.value("batching_dims"));
    const auto contracting = pair(meaning, meaning.statement.value("contracting_dims"));
    return DotDimensions{batch[0], batch[1], contracting[0], contracting[1], precision(meaning)};
}

// Contracts the last dimension of the left operand with the first one of the right operand.
Attribute dot(const Meaning& meaning) {
    const auto rank = static_cast<std::int64_t>(meaning.operand_sizes(0).size());
    DotDimensions result;
    if (rank > 0) result.lhs_contracting = {rank - 1};
    if (!meaning.operand_sizes(1).empty()) result.rhs_contracting = {0};
    result.precision = precision(meaning);
    return result;
}

Attribute ragged_dot(const Meaning& meaning) {
    return of_fields(meaning, meaning.statement.value("ragged_dot_dimension_numbers"));
}

Attribute convolution(const Meaning& meaning) {
    ConvolutionDimensions result;
    read_dimension_numbers(meaning, result);
    result.feature_groups = meaning.integer("feature_group_count", 1);
    result.batch_groups = meaning.integer("batch_group_count", 1);
    result.precision = precision(meaning);
    const Sizes& kernel = meaning.operand_sizes(1);
    Sizes sizes;
    for (const std::int64_t dimension : result.kernel_spatial) {
        if (dimension < 0 || dimension >= static_cast<std::int64_t>(kernel.size()))
            meaning.text.refuse(meaning.statement.name, "the kernel's dimension numbers exceed its rank");
        sizes.push_back(kernel[static_cast<std::size_t>(dimension)]);
    }
    result.window = sliding_window(meaning, sizes);
    return result;
}

}  // namespace dse::ir::mlir
