#include "dse/ir/program/product_precision.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace dse::ir {
namespace {

std::string lower_case(std::string_view text) {
    std::string result{text};
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

ProductPrecision product_precision(std::string_view text) {
    const std::string words = lower_case(text);
    if (has(words, "highest")) return ProductPrecision::highest;
    return has(words, "high") ? ProductPrecision::high : ProductPrecision::standard;
}

ProductPrecision algorithm_precision(std::string_view text) {
    const std::string words = lower_case(text);
    constexpr std::array<std::string_view, 8> exact{"f32_f32_f32",
                                                    "lhs_precision_type = f32",
                                                    "_x3",
                                                    "_x6",
                                                    "_x9",
                                                    "num_primitive_operations = 3",
                                                    "num_primitive_operations = 6",
                                                    "num_primitive_operations = 9"};
    const bool is_exact =
        std::any_of(exact.begin(), exact.end(), [&](std::string_view part) { return has(words, part); });
    if (is_exact) return ProductPrecision::highest;
    return has(words, "tf32") ? ProductPrecision::high : ProductPrecision::standard;
}

}  // namespace dse::ir
