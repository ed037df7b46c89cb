#pragma once

#include <cstdint>

namespace dse {

/// What SplitMix64 adds to its state for each number. Source: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15ULL;

/// SplitMix64's number for a state: one to one, and every bit of the result depends on every bit of the
/// state.
constexpr std::uint64_t mixed(std::uint64_t state) {
    state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    state = (state ^ (state >> 27U)) * 0x94d049bb133111ebULL;
    return state ^ (state >> 31U);
}

/// The seed of a point's random numbers, from the sweep's seed and the point's id, never from the rank: the
/// same sweep gives the same rows on 1 rank or 1000.
constexpr std::uint64_t seed_of(std::uint64_t sweep_seed, std::uint64_t point_id) {
    return mixed(mixed(sweep_seed + golden_gamma) + (point_id + 1) * golden_gamma);
}

}  // namespace dse
