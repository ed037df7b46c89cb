#pragma once

#include <span>

#include "dse/metrics/pareto.hpp"

namespace dse::metrics {

/// Volume of the region that some point of the table dominates, bounded by a reference point: the quality of
/// a front in one number, larger is better. Exact in every dimension: the last objective is cut into slices
/// and each slice is a volume of one dimension less, O(n^(d-1)); meant for fronts, not for whole sweeps.
/// Points that are not strictly below the reference in every objective add nothing.
/// \param reference  as many values as objectives, finite
/// Source: Zitzler, Thiele, "Multiobjective optimization using evolutionary algorithms", PPSN V (1998);
///         slicing as in While et al., "A faster algorithm for calculating hypervolume", IEEE TEC 10 (2006).
double hypervolume(const CostTable& table, std::span<const double> reference);

}  // namespace dse::metrics
