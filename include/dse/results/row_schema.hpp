#pragma once

#include <string>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/space/space.hpp"

namespace dse::results {

/// The columns of a space's points: axes, then derived values.
std::vector<Column> point_columns(const space::Space& space);

/// Of the rows of a campaign over a space that stands by itself: two campaigns are the same where the spaces
/// are. Facts of the evaluator that decide rows may be added to `sweep.facts`, and `sweep.digest` be made
/// anew.
ResultSchema row_schema(const space::Space& space, std::vector<metrics::Objective> objectives);

}  // namespace dse::results
