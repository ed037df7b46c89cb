#pragma once

#include <span>

namespace dse::metrics {

/// Spearman's correlation: whether two rows of numbers put the same things in the same order, from -1
/// (reversed) to 1 (the same). Equal numbers share the mean of their ranks.
/// \param x, y  of equal size, finite
/// \return NaN under three numbers, and where all numbers of a row are equal
double rank_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace dse::metrics
