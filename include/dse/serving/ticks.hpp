#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "dse/base/time_quantum.hpp"

namespace dse::serving {

/// Simulated time in whole multiples of time_quantum: sums do not depend on their order, so that many steps
/// that grow evenly are one product, and equal means ==.
using Ticks = std::int64_t;

inline constexpr Ticks never = std::numeric_limits<Ticks>::max();

/// What Ticks hold with room to spare, in s: 81 days.
inline constexpr double longest_run = 7e6;

inline Ticks to_ticks(double seconds) {
    return std::llround(seconds / time_quantum);
}
constexpr double to_seconds(Ticks ticks) {
    return static_cast<double>(ticks) * time_quantum;
}

}  // namespace dse::serving
