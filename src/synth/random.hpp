#pragma once

#include <cstdint>

#include "dse/base/seed.hpp"

namespace dse::synth {

/// Random numbers for sampling. Integers only, so that a seed gives the same sample on every machine.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_{seed} {}

    std::uint64_t next() { return mixed(state_ += golden_gamma); }

    /// Uniform in [0, n). \pre n >= 1. Values are not rejected to remove the bias, which is below n / 2^32.
    std::uint64_t below(std::uint64_t n) { return ((next() >> 32U) * n) >> 32U; }

  private:
    std::uint64_t state_;
};

}  // namespace dse::synth
