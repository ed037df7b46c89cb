#pragma once

#include <string>

#include "dse/results/table.hpp"

namespace dse::app {

/// What a finished sweep found: how many points, what became of them, the best for each objective, how large
/// the front is. Says loudly when there is no feasible point, with the commonest reasons.
std::string run_summary(const results::Table& table);

}  // namespace dse::app
