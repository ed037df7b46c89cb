#pragma once

#include <cstddef>
#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"

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
DSE_CHOICES(Precision, fp64, fp32, tf32, bf16, fp16, fp8, fp4, int8);
inline constexpr std::size_t precision_count = 8;

/// Size of one element in memory.
Bytes bytes_of(Precision precision);

/// Size of one element of a product's operand in memory, with its part of the scale of its block: NVFP4 has
/// one byte for 16 elements. Scales of wider formats are for larger blocks, and do not count.
/// Source: NVIDIA, "Introducing NVFP4 for efficient and accurate low-precision inference" (2025).
Bytes stored_bytes_of(Precision precision);

}  // namespace dse::graph
