#include "dse/ir/program/product_precision.hpp"

#include <algorithm>
#include <array>

namespace dse::ir {
namespace {

// \param part  in lower case
bool has(std::string_view text, std::string_view part) {
    const auto same = [](char in_text, char in_part) {
        const bool is_upper = in_text >= 'A' && in_text <= 'Z';
        return (is_upper ? in_text - 'A' + 'a' : in_text) == in_part;
    };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

}  // namespace

ProductPrecision product_precision(std::string_view text) {
    if (text.empty()) return ProductPrecision::standard;
    if (has(text, "highest")) return ProductPrecision::highest;
    return has(text, "high") ? ProductPrecision::high : ProductPrecision::standard;
}

ProductPrecision algorithm_precision(std::string_view text) {
    if (text.empty()) return ProductPrecision::standard;
    constexpr std::array<std::string_view, 8> exact{"f32_f32_f32",
                                                    "lhs_precision_type = f32",
                                                    "_x3",
                                                    "_x6",
                                                    "_x9",
                                                    "num_primitive_operations = 3",
                                                    "num_primitive_operations = 6",
                                                    "num_primitive_operations = 9"};
    const bool is_exact =
        std::any_of(exact.begin(), exact.end(), [&](std::string_view part) { return has(text, part); });
    if (is_exact) return ProductPrecision::highest;
    return has(text, "tf32") ? ProductPrecision::high : ProductPrecision::standard;
}

}  // namespace dse::ir
