#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dse/base/units.hpp"

namespace dse::graph {

enum class Precision : std::uint8_t {
    fp64,
    fp32,
    tf32,
    bf16,
    fp16,
    fp8,
    fp4,
    int8,  ///< 8-bit integers with 32-bit accumulation; narrower integers are widened to 8 bits
};
inline constexpr std::size_t precision_count = 8;

/// Size of one element in memory.
Bytes bytes_of(Precision precision);

/// Size of one element of a product's operand in memory, with its part of the scale of its block: NVFP4 has
/// one byte for 16 elements. Scales of wider formats are for larger blocks, and do not count.
/// Source: NVIDIA, "Introducing NVFP4 for efficient and accurate low-precision inference" (2025).
Bytes stored_bytes_of(Precision precision);

/// Names as sweeps write them, in the order of the enumerators.
std::span<const std::string_view> choice_names(Precision);

}  // namespace dse::graph
