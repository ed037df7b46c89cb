#pragma once

#include <span>
#include <vector>

namespace dse {

/// Of finite values; NaN of none.
double mean(std::span<const double> values);

/// The share-th part of values, from 0 (the least) to 1 (the largest), linear between the two that are
/// nearest (numpy's default). Reorders them. \returns NaN where there are none
double percentile(std::vector<double>& values, double share);

/// The place of each in ascending order, from 0 on; equal ones share the mean of their places. None may be
/// NaN.
std::vector<double> ranks(std::span<const double> values);

/// Pearson's correlation, from -1 to 1; NaN where either series never varies. \pre equal lengths
double correlation(std::span<const double> x, std::span<const double> y);

}  // namespace dse
