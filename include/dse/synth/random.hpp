#pragma once

#include <cstdint>

#include "dse/base/seed.hpp"

namespace dse::synth {

/// Random numbers of a sample: whole numbers alone, so that a seed gives the same sample on every machine.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_{seed} {}

    std::uint64_t next() { return mixed(state_ += golden_gamma); }

    /// In [0, n). \pre n >= 1. Of 2^32 numbers those beyond a multiple of n are not refused: the bias is
    /// below n / 2^32.
    std::uint64_t below(std::uint64_t n) { return ((next() >> 32U) * n) >> 32U; }

  private:
    std::uint64_t state_;
};

}  // namespace dse::synth
