#pragma once

#include <vector>

#include "dse/eval/validation/validate_serving.hpp"

namespace dse::app {

/// Measured deployments beside predictions: `validate --json`, three rows a deployment.
void print_deployments_json(const std::vector<eval::ServingComparison>& comparisons,
                            const std::vector<eval::ServingSummary>& summaries);

/// For people. \param rows  whether each deployment is printed
void print_deployments(const std::vector<eval::ServingComparison>& comparisons,
                       const std::vector<eval::ServingSummary>& summaries, bool rows);

}  // namespace dse::app
