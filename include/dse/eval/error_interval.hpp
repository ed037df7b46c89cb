#pragma once

#include "dse/config/range.hpp"

namespace dse::eval {

/// Where ln(measured / predicted) is in 80 % of cases: from shift - width to shift + width. It need not hold
/// 0: what a prediction does not know may cost time in all cases.
struct ErrorInterval {
    double shift{0.0};
    double width{0.0};  ///< half of the interval; 0: unknown
};

/// Of logarithms: a factor of 22,026 either way.
inline constexpr config::Range shift_range = config::between(-10, 10);
inline constexpr config::Range width_range = config::between(0, 10);

template <class Visitor>
void describe(Visitor& v, ErrorInterval& interval) {
    v.optional("shift", interval.shift, shift_range, "middle of the interval");
    v.required("width", interval.width, width_range, "half of the interval");
}

/// That of independent errors of one prediction: shifts add, widths in squares.
ErrorInterval sum(const ErrorInterval& a, const ErrorInterval& b);

/// That of the ratio of two predictions; unknown if one of theirs is.
/// \param correlation  share of the variance that their errors have in common
ErrorInterval ratio(const ErrorInterval& above, const ErrorInterval& below, double correlation);

/// That of a prediction whose measurement lies between two ends; unknown if one of them is NaN.
ErrorInterval interval_between(double low, double high, double predicted);

}  // namespace dse::eval
