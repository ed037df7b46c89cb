#pragma once

namespace dse {

/// What simulated times are whole multiples of, 2^-40 s (0.9 ps): such times add up exactly in doubles up to
/// 2^13 s, so that results do not depend on association, order or caches, and equal means ==.
inline constexpr double time_quantum = 0x1p-40;

}  // namespace dse
