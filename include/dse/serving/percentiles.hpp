#pragma once

#include <array>
#include <vector>

#include "dse/graph/service_levels.hpp"

namespace dse::serving {

/// By graph::statistic_names: mean, p50, p90, p95, p99.
using Statistics = std::array<double, graph::statistic_names.size()>;

/// The shares that percentiles stand for, by statistic; the mean has none.
inline constexpr std::array<double, graph::statistic_names.size()> shares{0.0, 0.50, 0.90, 0.95, 0.99};

/// The q-th share of values, linear between the two that are nearest (numpy's default). Reorders them.
/// \returns NaN where there are none
double percentile(std::vector<double>& values, double share);

/// Reorders the values.
Statistics statistics(std::vector<double>& values);

}  // namespace dse::serving
