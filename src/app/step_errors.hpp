#pragma once

#include <vector>

#include "app/json_output.hpp"
#include "dse/eval/validation/validate.hpp"

namespace dse::app {

/// Measured steps, prompts and memory with their predictions: `rows`, one per comparison.
Json step_rows_json(const std::vector<eval::Comparison>& comparisons);

/// Adds `summary`, one entry per summary, and `memory`, the runs whose predicted memory contradicts the
/// measurement.
void add_step_summaries(const std::vector<eval::Comparison>& comparisons,
                        const std::vector<eval::ErrorSummary>& summaries, Json& json);

/// Prints the same as text. \param rows  whether to print each comparison
void print_steps(const std::vector<eval::Comparison>& comparisons,
                 const std::vector<eval::ErrorSummary>& summaries, bool rows);

}  // namespace dse::app
