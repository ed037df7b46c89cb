#pragma once

#include "dse/base/units.hpp"

namespace dse::eval {

/// Converts times of cost models to the numbers that engines add up: integer multiples of the engines'
/// quantum, or, if the network has its own clock, integer numbers of its ticks, each represented by a power
/// of two so that sums are exact.
class Clock {
  public:
    /// \param tick  clock tick of the network; 0 s: it has no clock
    explicit Clock(Seconds tick);

    /// The nearest multiple of the quantum, or the number of complete ticks.
    /// \throws ModelError if the time is negative, infinite, NaN, or too long for exact sums
    [[nodiscard]] double operator()(Seconds time) const;
    /// A share of a converted duration, rounded in the same way. \param share  >= 0
    [[nodiscard]] double part(double duration, double share) const;
    /// Seconds per unit of the converted times (sim::Durations::unit).
    [[nodiscard]] double unit() const { return unit_; }

  private:
    double tick_;       ///< s; 0: no clock
    double step_{0.0};  ///< the number that represents a tick in engines
    double unit_{1.0};
};

}  // namespace dse::eval
