#pragma once

namespace dse::model {

/// Joins two times of work that overlaps in part: (a^q + b^q)^(1/q), with q from the constructor.
///
/// q = 0 stands for the limit q → ∞, the larger of the two; q = 1 is their sum; q < 1 exceeds the sum.
/// Needs no power of anything where q is 0 or 1 or where one time is negligible.
class Blend {
  public:
    /// \param sharpness  q >= 0
    explicit Blend(double sharpness);

    /// \param a, b  times in any one unit, >= 0
    [[nodiscard]] double operator()(double a, double b) const;

  private:
    double q_;
    double inverse_{0.0};
    double negligible_{0.0};  ///< ratio below which the smaller time no longer changes a double
};

}  // namespace dse::model
