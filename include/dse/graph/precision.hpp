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

/// Names as sweeps write them, in the order of the enumerators.
std::span<const std::string_view> choice_names(Precision);

}  // namespace dse::graph
