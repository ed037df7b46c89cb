#pragma once

#include <array>
#include <vector>

#include "dse/graph/service_levels.hpp"

namespace dse::serving {

/// Indexed by graph::statistic_names: mean, p50, p90, p95, p99.
using Statistics = std::array<double, graph::statistic_names.size()>;

/// Share of values below each percentile, by statistic; unused for the mean.
inline constexpr std::array<double, graph::statistic_names.size()> shares{0.0, 0.50, 0.90, 0.95, 0.99};

/// Percentiles are interpolated linearly between ranks. All are NaN if there are no values. Reorders
/// `values`.
Statistics statistics(std::vector<double>& values);

}  // namespace dse::serving
