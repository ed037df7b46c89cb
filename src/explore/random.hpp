#pragma once

#include <cstdint>
#include <random>

#include "dse/base/check.hpp"

namespace dse::explore {

/// Random numbers of a search: the same with every compiler and library, unlike the standard's distributions.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_{seed} {}

    /// Uniform in [0, 1).
    double unit() { return static_cast<double>(engine_() >> 11U) * 0x1.0p-53; }

    /// Uniform in 0 … n − 1. \pre n > 0
    std::uint64_t below(std::uint64_t n) {
        DSE_EXPECT(n > 0);
        // Rejecting the last, incomplete run of n values keeps all of them equally likely.
        const std::uint64_t limit = UINT64_MAX - UINT64_MAX % n;
        std::uint64_t bits = engine_();
        while (bits >= limit) bits = engine_();
        return bits % n;
    }

    bool chance(double share) { return unit() < share; }

  private:
    std::mt19937_64 engine_;
};

}  // namespace dse::explore
