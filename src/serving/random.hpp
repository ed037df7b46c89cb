#pragma once

#include <cstdint>

namespace dse::serving {

/// Random numbers that are the same on every machine and with every standard library (the standard does not
/// prescribe the algorithms of its distributions).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_{seed} {}

    /// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    std::uint64_t next();
    /// In (0, 1), excluding both ends.
    double uniform();
    /// Exponential distribution with mean 1.
    double exponential();
    /// Normal distribution with mean 0 and variance 1.
    double normal();
    /// Gamma distribution with mean 1. \param variation  standard deviation divided by mean, > 0
    double gamma(double variation);

  private:
    double standard_gamma(double shape);

    std::uint64_t state_;
};

}  // namespace dse::serving
