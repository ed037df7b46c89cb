#pragma once

#include <span>

namespace dse::metrics {

/// Spearman's rank correlation of two series, from -1 (reversed order) to 1 (same order). Equal numbers share
/// their mean rank.
/// \param x, y  of equal size, finite
/// \return NaN for fewer than three numbers, and if a series is constant
double rank_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace dse::metrics
