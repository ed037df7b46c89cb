#pragma once

#include "dse/base/units.hpp"

namespace dse::eval {

/// Turns what cost models say into what engines add up: whole multiples of the engines' quantum, or, under a
/// network with a clock of its own, whole ticks of that, each standing for a power of two of seconds so that
/// sums stay exact.
class Clock {
  public:
    /// \param tick  of the network; 0 s: it has none
    explicit Clock(Seconds tick);

    /// The nearest multiple of the quantum, or the ticks that have passed in full.
    /// \throws ModelError when the time is negative, infinite, NaN, or longer than engines can add exactly
    [[nodiscard]] double operator()(Seconds time) const;
    /// The same of so much of what has been turned already. \param share  >= 0
    [[nodiscard]] double part(double duration, double share) const;
    /// Seconds that 1 stands for (sim::Durations::unit).
    [[nodiscard]] double unit() const { return unit_; }

  private:
    double tick_;       ///< s; 0: none
    double step_{0.0};  ///< what a tick is to the engine
    double unit_{1.0};
};

}  // namespace dse::eval
