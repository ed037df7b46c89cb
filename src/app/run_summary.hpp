#pragma once

#include <string>

#include "app/json_output.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// What a finished sweep found: how many points, what became of them, the best for each objective, how large
/// the front is. Says loudly when there is no feasible point, with the commonest reasons.
std::string run_summary(const results::Table& table);

/// The same for programs: {name, points, status: {ok, out_of_memory, …}, objectives, front_size, idle_axes,
/// rows}, where rows are the best in each objective.
Json run_summary_json(const results::Table& table);

}  // namespace dse::app
