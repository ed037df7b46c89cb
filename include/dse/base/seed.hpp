#pragma once

#include <cstdint>

namespace dse {

/// The seed of a point's random numbers, from the sweep's seed and the point's id, never from the rank: the
/// same sweep gives the same rows on 1 rank or 1000. Source: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014 (SplitMix64).
constexpr std::uint64_t seed_of(std::uint64_t sweep_seed, std::uint64_t point_id) {
    const auto mix = [](std::uint64_t z) {
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    };
    constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15ULL;
    return mix(mix(sweep_seed + golden_gamma) + (point_id + 1) * golden_gamma);
}

}  // namespace dse
