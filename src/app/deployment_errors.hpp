#pragma once

#include <vector>

#include "dse/eval/validation/validate_serving.hpp"

namespace dse::app {

/// Prints measurements of deployments with predictions as JSON (`validate --json`), three rows per
/// deployment.
void print_deployments_json(const std::vector<eval::ServingComparison>& comparisons,
                            const std::vector<eval::ServingSummary>& summaries);

/// Prints each deployment as a row of a table.
void print_deployment_rows(const std::vector<eval::ServingComparison>& comparisons);

/// Prints the summaries as text.
void print_deployments(const std::vector<eval::ServingComparison>& comparisons,
                       const std::vector<eval::ServingSummary>& summaries);

}  // namespace dse::app
