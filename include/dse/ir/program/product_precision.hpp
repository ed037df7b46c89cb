#pragma once

#include <cstdint>
#include <string_view>

namespace dse::ir {

/// How exactly a program asks for products of 32-bit operands.
/// Source: XLA's PrecisionConfig, StableHLO's precision and dot algorithm
enum class ProductPrecision : std::uint8_t {
    standard,  ///< as fast as the compiler likes
    high,      ///< no less than TF32
    highest    ///< of fp32
};

/// The highest that a text names, in words of either case: "{high,default}", "[HIGHEST, DEFAULT]".
ProductPrecision product_precision(std::string_view text);

/// Of a dot algorithm, by what XLA's calls of cuBLAS compute in for it: several passes of a narrower format
/// stand for fp32. \param text  "dot_tf32_tf32_f32", "<lhs_precision_type = tf32, …>"
ProductPrecision algorithm_precision(std::string_view text);

}  // namespace dse::ir
