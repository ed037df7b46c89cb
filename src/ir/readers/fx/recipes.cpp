#include "recipes.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

namespace dse::ir::fx {
namespace {

using Node = Expressions::Node;

/// Sizes of an operand; nullptr if its type does not state them.
const Sizes* sizes_of(const Program& program, const std::vector<ValueId>& operands, std::size_t number) {
    if (number >= operands.size()) return nullptr;
    const Type& type = program.types[program.type_of(operands[number])];
    return type.kind == Type::Kind::array ? &type.sizes : nullptr;
}

/// The integers of a list, or a single integer.
Sizes integers_of(const Expressions& expressions, const Node* node) {
    Sizes result;
    if (node == nullptr) return result;
    if (const auto single = integer_of(node)) return {*single};
    if (node->kind != Expressions::Kind::list) return result;
    for (const Node* each = expressions.child(*node); each != nullptr; each = expressions.next(*each))
        if (const auto integer = integer_of(each)) result.push_back(*integer);
    return result;
}

/// Resolves negative dimensions: −1 is the last one.
std::int64_t counted_from_front(std::int64_t dimension, std::size_t rank) {
    return dimension < 0 ? dimension + static_cast<std::int64_t>(rank) : dimension;
}

Sizes counted_from_front(Sizes dimensions, const Sizes* sizes) {
    if (sizes == nullptr) return dimensions;
    for (std::int64_t& dimension : dimensions) dimension = counted_from_front(dimension, sizes->size());
    return dimensions;
}

Sizes numbers(std::size_t first, std::size_t end) {
    Sizes result;
    for (std::size_t i = first; i < end; ++i) result.push_back(static_cast<std::int64_t>(i));
    return result;
}

/// The dimensions, if both operands have them.
Attribute if_present(DotDimensions dimensions, const Sizes* lhs, const Sizes* rhs) {
    const auto has = [](const Sizes* sizes, const Sizes& wanted) {
        return sizes == nullptr || std::all_of(wanted.begin(), wanted.end(), [sizes](std::int64_t dimension) {
                   return dimension < static_cast<std::int64_t>(sizes->size());
               });
    };
    if (!has(lhs, dimensions.lhs_batch) || !has(lhs, dimensions.lhs_contracting)) return {};
    if (!has(rhs, dimensions.rhs_batch) || !has(rhs, dimensions.rhs_contracting)) return {};
    return dimensions;
}

Attribute matmul_dimensions(const Sizes* a, const Sizes* b) {
    if (a == nullptr || b == nullptr || a->empty() || b->empty()) return {};
    const auto last = static_cast<std::int64_t>(a->size()) - 1;
    if (b->size() <= 2) return DotDimensions{{}, {}, {last}, {0}};
    if (a->size() != b->size()) return {};
    const Sizes batch = numbers(0, a->size() - 2);
    return DotDimensions{batch, batch, {last}, {last - 1}};
}

/// Positions of a convolution's arguments and operands.
struct ConvolutionPlaces {
    std::size_t stride;
    std::size_t padding;
    std::size_t dilation;
    std::size_t transposed;  ///< 0: there is no such argument
    std::size_t groups;
    std::size_t input;  ///< index of the operand; the weight is the next one
};

constexpr ConvolutionPlaces aten_places{3, 4, 5, 6, 8, 0};
constexpr ConvolutionPlaces backward_places{4, 5, 6, 7, 9, 1};
constexpr ConvolutionPlaces functional_places{3, 4, 5, 0, 6, 0};

/// A single number may apply to all spatial dimensions.
std::int64_t entry(const Sizes& list, std::size_t i, std::int64_t otherwise) {
    if (list.empty()) return otherwise;
    return list[std::min(i, list.size() - 1)];
}

/// Images are [batch, channels, …], weights [outputs, inputs / groups, …], or for transposed convolutions the
/// reverse.
Attribute convolution_of(const ConvolutionPlaces& places, const Expressions& expressions, const Node& call,
                         const Program& program, const std::vector<ValueId>& operands) {
    const Sizes* weight = sizes_of(program, operands, places.input + 1);
    if (weight == nullptr || weight->size() < 3) return {};
    const auto list = [&](std::size_t place, std::string_view name) {
        return integers_of(expressions, expressions.argument(call, place, name));
    };
    const Sizes stride = list(places.stride, "stride");
    const Sizes padding = list(places.padding, "padding");
    const Sizes dilation = list(places.dilation, "dilation");
    const Node* flag =
        places.transposed == 0 ? nullptr : expressions.argument(call, places.transposed, "transposed");
    const bool is_transposed = flag != nullptr && flag->text == "True";

    ConvolutionDimensions result;
    result.input_feature = result.output_feature = 1;
    result.kernel_output_feature = is_transposed ? 1 : 0;
    result.kernel_input_feature = is_transposed ? 0 : 1;
    result.feature_groups = entry(list(places.groups, "groups"), 0, 1);
    const Sizes spatial = numbers(2, weight->size());
    result.input_spatial = result.kernel_spatial = result.output_spatial = spatial;
    for (std::size_t i = 0; i < spatial.size(); ++i) {
        WindowDimension window;
        window.size = (*weight)[i + 2];
        window.window_dilation = entry(dilation, i, 1);
        const std::int64_t pad = entry(padding, i, 0);
        window.pad_low = window.pad_high =
            is_transposed ? window.window_dilation * (window.size - 1) - pad : pad;
        (is_transposed ? window.base_dilation : window.stride) = entry(stride, i, 1);
        result.window.push_back(window);
    }
    return result;
}

/// The last text names the process group; a number beside it is its size.
Communication communication_of(Recipe recipe, const Expressions& expressions, const Node& call,
                               std::string_view& group) {
    Communication result;
    for (std::size_t i = 0; const Node* argument = expressions.argument(call, i); ++i) {
        if (argument->kind == Expressions::Kind::text) group = argument->text;
        const auto integer = integer_of(argument);
        if (integer && recipe == Recipe::communication) result.group_size = *integer;
    }
    if (const Node* named = expressions.argument(call, static_cast<std::size_t>(-1), "group_name"))
        group = named->text;
    return result;
}

}  // namespace

std::optional<std::int64_t> integer_of(const Node* node) {
    if (node == nullptr || node->kind != Expressions::Kind::integer) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(node->text.data(), node->text.data() + node->text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    return value;
}

Attribute attribute_of(Recipe recipe, const Expressions& expressions, const Node& call, Program& program,
                       std::vector<ValueId>& operands) {
    const auto argument = [&](std::size_t number, std::string_view name) {
        return integers_of(expressions, expressions.argument(call, number, name));
    };
    const bool is_added = recipe == Recipe::added_product || recipe == Recipe::added_batched_product;
    if (is_added && operands.size() >= 3)
        std::rotate(operands.begin(), operands.begin() + 1, operands.begin() + 3);
    const Sizes* first = sizes_of(program, operands, 0);
    const Sizes* second = sizes_of(program, operands, 1);
    switch (recipe) {
        case Recipe::plain:
            return {};
        case Recipe::product:
        case Recipe::added_product:
            return if_present({{}, {}, {1}, {0}}, first, second);
        case Recipe::batched_product:
        case Recipe::added_batched_product:
            return if_present({{0}, {0}, {2}, {1}}, first, second);
        case Recipe::linear:
            if (first == nullptr || first->empty()) return {};
            return if_present({{}, {}, {static_cast<std::int64_t>(first->size()) - 1}, {1}}, first, second);
        case Recipe::matmul:
            return matmul_dimensions(first, second);
        case Recipe::convolution:
            return convolution_of(aten_places, expressions, call, program, operands);
        case Recipe::convolution_backward:
            return convolution_of(backward_places, expressions, call, program, operands);
        case Recipe::functional_convolution:
            return convolution_of(functional_places, expressions, call, program, operands);
        case Recipe::communication:
        case Recipe::broadcast: {
            std::string_view group;
            Communication result = communication_of(recipe, expressions, call, group);
            result.process_group = NameId{program.names.add(group)};
            return result;
        }
        case Recipe::dimensions:
            return Dimensions{counted_from_front(argument(1, "dim"), first)};
        case Recipe::permutation:
            return Dimensions{counted_from_front(argument(1, "dims"), first)};
        case Recipe::transposition: {
            if (first == nullptr) return {};
            const Sizes pair =
                counted_from_front({integer_of(expressions.argument(call, 1, "dim0")).value_or(0),
                                    integer_of(expressions.argument(call, 2, "dim1")).value_or(0)},
                                   first);
            Sizes order = numbers(0, first->size());
            const auto is_known = [&](std::int64_t d) {
                return d >= 0 && d < static_cast<std::int64_t>(order.size());
            };
            if (!is_known(pair[0]) || !is_known(pair[1])) return {};
            std::swap(order[static_cast<std::size_t>(pair[0])], order[static_cast<std::size_t>(pair[1])]);
            return Dimensions{std::move(order)};
        }
    }
    return {};
}

}  // namespace dse::ir::fx
