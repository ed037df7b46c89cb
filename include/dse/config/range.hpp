#pragma once

#include <limits>

namespace dse::config {

/// Values that a field may have: integers and numbers as they stand, quantities in SI units.
struct Range {
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    double least{-unlimited};
    double most{unlimited};
    bool above_least{false};  ///< `least` itself is outside

    /// Infinities and NaN are outside of every range.
    [[nodiscard]] constexpr bool contains(double value) const {
        const bool is_finite = value > -unlimited && value < unlimited;
        return is_finite && value <= most && (above_least ? value > least : value >= least);
    }
    [[nodiscard]] constexpr bool is_limited() const { return least > -unlimited || most < unlimited; }
};

constexpr Range at_least(double least) {
    return {least, Range::unlimited, false};
}
constexpr Range above(double limit) {
    return {limit, Range::unlimited, true};
}
constexpr Range between(double least, double most) {
    return {least, most, false};
}

/// What may be nothing at all: a time, an amount, a rate that is 0 where there is none.
inline constexpr Range not_negative = at_least(0);
/// What has to be something.
inline constexpr Range positive = above(0);
/// A part of a whole, which may be nothing.
inline constexpr Range share = between(0, 1);
/// A part of a whole that is something.
inline constexpr Range fraction{0, 1, true};

}  // namespace dse::config
