#pragma once

#include <span>
#include <utility>
#include <vector>

namespace dse {

/// Mean of finite values; NaN if there are none.
double mean(std::span<const double> values);

/// Percentile of values, with `share` from 0 (minimum) to 1 (maximum) and linear interpolation (numpy's
/// default). Reorders the values.
/// \returns NaN if there are none
double percentile(std::vector<double>& values, double share);

/// The same for several shares, in less time than one after the other.
/// \param shares   ascending
/// \param results  one per share; NaN if there are no values
void percentiles(std::vector<double>& values, std::span<const double> shares, std::span<double> results);

/// The smallest of the values up to which there is a share of their weight, from 0 to 1: 0.5 is a median.
/// \param values  with their weights, each > 0; no value may be NaN
/// \returns NaN if there are none
double weighted_quantile(std::vector<std::pair<double, double>> values, double share);

/// Rank of each value in ascending order, starting at 0; equal values share their mean rank. No value may be
/// NaN.
std::vector<double> ranks(std::span<const double> values);

/// Pearson's correlation, from -1 to 1; NaN if either series is constant. \pre equal lengths
double correlation(std::span<const double> x, std::span<const double> y);

}  // namespace dse
