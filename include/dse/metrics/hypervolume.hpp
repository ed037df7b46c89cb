#pragma once

#include <span>

#include "dse/metrics/pareto.hpp"

namespace dse::metrics {

/// Volume of the region dominated by the points of the table and bounded by a reference point: the quality of
/// a front as one number, larger is better. Exact in every dimension: a sweep for up to three objectives, O(n
/// log n); for more, each row in ascending order of the last objective contributes the box between it and the
/// reference minus the part covered by earlier rows, a problem of one dimension less: O(n² log n) for four.
/// Points that are not strictly below the reference in every objective contribute nothing.
/// \param reference  as many values as objectives, finite
/// Source: Zitzler, Thiele, "Multiobjective optimization using evolutionary algorithms", PPSN V (1998);
///         While, Bradstreet, Barone, "A fast way of calculating exact hypervolumes", IEEE TEC 16 (2012):
///         WFG; Beume, Fonseca, López-Ibáñez, Paquete, Vahrenhold, "On the complexity of computing the
///         hypervolume indicator", IEEE TEC 13 (2009): three objectives.
double hypervolume(const CostTable& table, std::span<const double> reference);

}  // namespace dse::metrics
