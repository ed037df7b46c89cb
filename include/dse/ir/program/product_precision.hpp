#pragma once

#include <cstdint>
#include <string_view>

namespace dse::ir {

/// Precision that a program requests for products of 32-bit operands.
/// Source: XLA's PrecisionConfig, StableHLO's precision and dot algorithm
enum class ProductPrecision : std::uint8_t {
    standard,  ///< the compiler's choice
    high,      ///< at least TF32
    highest    ///< fp32
};

/// The highest precision named in a text, in either case: "{high,default}", "[HIGHEST, DEFAULT]".
ProductPrecision product_precision(std::string_view text);

/// Precision of a dot algorithm, according to the compute type of the cuBLAS calls that XLA uses for it;
/// several passes in a narrower format count as fp32.
/// \param text  "dot_tf32_tf32_f32", "<lhs_precision_type = tf32, …>"
ProductPrecision algorithm_precision(std::string_view text);

}  // namespace dse::ir
