#pragma once

namespace dse::model {

/// Combines the times of partially overlapping work: (a^q + b^q)^(1/q), with q from the constructor.
///
/// q = 0 stands for the limit q → ∞, the larger of the two; q = 1 is their sum; q < 1 exceeds the sum.
/// Powers are not evaluated if q is 0 or 1, or if one time is negligible.
class Blend {
  public:
    /// \param sharpness  q >= 0
    explicit Blend(double sharpness);

    /// \param a, b  times in the same unit, >= 0
    [[nodiscard]] double operator()(double a, double b) const;

  private:
    double q_;
    double inverse_{0.0};
    double negligible_{0.0};  ///< ratio below which the smaller time no longer changes a double
};

}  // namespace dse::model
