#pragma once

#include <string>

#include "dse/study/sweep.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Adds the option --sweep to a command that evaluates points of results again.
/// \param file  must outlive the parser
void add_sweep_of_results(CLI::App& app, std::string& file);

/// The sweep of a results file.
/// \param file  the sweep's own file; empty: the copy in the results
/// \throws InputError with all errors of the sweep, and if there is no copy
study::Sweep sweep_of_results(const std::string& results, const std::string& file);

}  // namespace dse::app
