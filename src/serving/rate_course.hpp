#pragma once

#include "dse/graph/traffic.hpp"

namespace dse::serving {

/// When requests arrive whose rate changes over time. Gaps are drawn in units of the mean gap and added up;
/// request number n comes when the rate's integral over time reaches its sum (time rescaling). A Poisson
/// process of rate 1 becomes one of that rate, and equal or bursty gaps are stretched likewise.
class RateCourse {
  public:
    explicit RateCourse(const graph::Traffic& traffic);

    /// Whether the rate changes at all.
    [[nodiscard]] bool changes() const { return ramp_time_ > 0.0 || day_ > 0.0; }
    /// At the start of the run, 1/s.
    [[nodiscard]] double first_rate() const { return day_ > 0.0 ? rate_ * (1.0 - swing_) : rate_; }
    /// Time at which `requests` have arrived in the mean, s. \pre the rate is above 0
    [[nodiscard]] double time_of(double requests) const;

  private:
    [[nodiscard]] double on_ramp(double requests) const;
    [[nodiscard]] double in_days(double requests) const;

    double rate_;  ///< 1/s
    double ramp_to_;
    double ramp_time_;  ///< s; 0: no ramp
    double day_;        ///< s; 0: no swing
    double swing_;
};

}  // namespace dse::serving
