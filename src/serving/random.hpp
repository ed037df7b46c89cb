#pragma once

#include <cstdint>

namespace dse::serving {

/// Random numbers that are the same on every machine and with every standard library, which leaves the
/// algorithms of its distributions open.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_{seed} {}

    /// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    std::uint64_t next();
    /// In (0, 1), both ends excluded.
    double uniform();
    /// With mean 1.
    double exponential();
    /// With mean 0 and variance 1.
    double normal();
    /// With mean 1. \param variation  standard deviation over mean, > 0
    double gamma(double variation);

  private:
    double standard_gamma(double shape);

    std::uint64_t state_;
};

}  // namespace dse::serving
