#pragma once

#include <cstdint>

namespace dse {

/// Increment of SplitMix64's state. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15ULL;

/// Output of SplitMix64 for a state. The map is bijective, and every bit of the result depends on every bit
/// of the state.
constexpr std::uint64_t mixed(std::uint64_t state) {
    state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    state = (state ^ (state >> 27U)) * 0x94d049bb133111ebULL;
    return state ^ (state >> 31U);
}

/// Seed of a point's random numbers. It depends on the sweep's seed and the point's id but not on the rank,
/// so that a sweep gives the same rows on 1 rank or 1000.
constexpr std::uint64_t seed_of(std::uint64_t sweep_seed, std::uint64_t point_id) {
    return mixed(mixed(sweep_seed + golden_gamma) + (point_id + 1) * golden_gamma);
}

}  // namespace dse
