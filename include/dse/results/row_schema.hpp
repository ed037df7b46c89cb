#pragma once

#include <string>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/space/space.hpp"

namespace dse::results {

/// The columns of a space's points: axes, then derived values.
std::vector<Column> point_columns(const space::Space& space);

/// Schema of the rows of a campaign that is defined by its space: campaigns are equal if their spaces are.
/// Facts of the evaluator that affect rows may be added to `sweep.facts`, followed by recomputing
/// `sweep.digest`.
ResultSchema row_schema(const space::Space& space, std::vector<metrics::Objective> objectives);

}  // namespace dse::results
