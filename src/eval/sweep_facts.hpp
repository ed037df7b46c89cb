#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/eval/sweep.hpp"

namespace dse::eval {

/// The name of a file that a point may take the model from: the axis' labels, or the one of the base
/// scenario; empty where there is none.
std::vector<std::string> model_names(const Sweep& sweep);

/// The same of compilers' programs (WorkloadSpec::ir).
std::vector<std::string> program_names(const Sweep& sweep);
/// The same of tables of what their foreign calls take (WorkloadSpec::foreign_costs).
std::vector<std::string> foreign_cost_names(const Sweep& sweep);

/// What decides the rows of a sweep with a space, key by key; see Sweep::facts. Files that an axis names and
/// that cannot be read go to the diagnostics.
std::vector<std::pair<std::string, std::string>> facts_of(const Sweep& sweep,
                                                          config::Diagnostics& diagnostics);

}  // namespace dse::eval
