#pragma once

#include <array>
#include <vector>

#include "dse/graph/service_levels.hpp"

namespace dse::serving {

/// By graph::statistic_names: mean, p50, p90, p95, p99.
using Statistics = std::array<double, graph::statistic_names.size()>;

/// The shares that percentiles stand for, by statistic; the mean has none.
inline constexpr std::array<double, graph::statistic_names.size()> shares{0.0, 0.50, 0.90, 0.95, 0.99};

/// Percentiles are linear between ranks; NaN of no values. Reorders them.
Statistics statistics(std::vector<double>& values);

}  // namespace dse::serving
