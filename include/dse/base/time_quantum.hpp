#pragma once

namespace dse {

/// Simulated times are integer multiples of this quantum, 2^-40 s (0.9 ps). Such times add exactly in doubles
/// up to 2^13 s, so that results do not depend on the order of additions or on caches and can be compared by
/// ==.
inline constexpr double time_quantum = 0x1p-40;

}  // namespace dse
