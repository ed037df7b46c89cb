#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "dse/base/time_quantum.hpp"

namespace dse::serving {

/// Simulated time as an integer multiple of time_quantum. Sums do not depend on their order, so that many
/// evenly growing steps can be added up in closed form, and equality is exact.
using Ticks = std::int64_t;

inline constexpr Ticks never = std::numeric_limits<Ticks>::max();

/// Longest run in s that fits into Ticks with room to spare: 81 days.
inline constexpr double longest_run = 7e6;

/// Times beyond the longest run are as long as that: sums that contain them are refused by `end_of`.
inline Ticks to_ticks(double seconds) {
    return std::llround(std::min(seconds, longest_run) / time_quantum);
}
constexpr double to_seconds(Ticks ticks) {
    return static_cast<double>(ticks) * time_quantum;
}
/// When a wait of at most so many seconds ends; `never` for 0, which is for ever, and if no run lasts until
/// then.
inline Ticks deadline_of(Ticks begin, double timeout) {
    const bool is_endless = timeout <= 0.0 || to_seconds(begin) + timeout > longest_run;
    return is_endless ? never : begin + to_ticks(timeout);
}

/// The sum of equal durations; of more than a run may last, one that end_of() refuses.
/// \param each   >= 0
/// \param count  >= 0
Ticks repeated(Ticks each, std::int64_t count);

/// The end of what begins at `now` and takes so long.
/// \param duration  a sum of at most a few times
/// \throws ModelError if a run may not last that long
Ticks end_of(Ticks now, Ticks duration);

}  // namespace dse::serving
