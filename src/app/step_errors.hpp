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

/// Prints each comparison as a row of a table.
void print_step_rows(const std::vector<eval::Comparison>& comparisons);

/// Prints the summaries as text.
void print_steps(const std::vector<eval::Comparison>& comparisons,
                 const std::vector<eval::ErrorSummary>& summaries);

}  // namespace dse::app
