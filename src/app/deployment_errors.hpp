#pragma once

#include <vector>

#include "dse/eval/validation/validate_serving.hpp"

namespace dse::app {

/// Prints measurements of deployments with predictions as JSON (`validate --json`), three rows per
/// deployment.
void print_deployments_json(const std::vector<eval::ServingComparison>& comparisons,
                            const std::vector<eval::ServingSummary>& summaries);

/// Prints the same as text. \param rows  whether to print each deployment
void print_deployments(const std::vector<eval::ServingComparison>& comparisons,
                       const std::vector<eval::ServingSummary>& summaries, bool rows);

}  // namespace dse::app
