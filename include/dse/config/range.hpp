#pragma once

#include <limits>

namespace dse::config {

/// Range of the values of a field; quantities are in SI units.
struct Range {
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    double least{-unlimited};
    double most{unlimited};
    bool above_least{false};  ///< `least` itself is outside

    /// Infinities and NaN are outside every range.
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

/// At least 0: for times, amounts and rates that may be absent.
inline constexpr Range not_negative = at_least(0);
/// Greater than 0.
inline constexpr Range positive = above(0);
/// A share of a whole, 0 included.
inline constexpr Range share = between(0, 1);
/// A share of a whole, 0 excluded.
inline constexpr Range fraction{0, 1, true};

}  // namespace dse::config
