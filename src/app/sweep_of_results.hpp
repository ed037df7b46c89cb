#pragma once

#include <string>
#include <vector>

#include "app/sweep_options.hpp"
#include "dse/study/sweep.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Adds the options --sweep and --set to a command that evaluates points of results again.
/// \param sweep  must outlive the parser
void add_sweep_of_results(CLI::App& app, SweepOptions& sweep);

/// The sweep of a results file, with the settings of the run.
/// \param sweep  the sweep's own file (empty: the copy in the results), and settings that replace those in
///               the file; files of older versions hold none
/// \param added  further settings
/// \throws InputError with all errors of the sweep, and if there is no copy
study::Sweep load_of_results(const std::string& results, SweepOptions sweep,
                             const std::vector<std::string>& added = {});

/// The same, whose points have the values that the file has.
/// \throws InputError also if it is another sweep; programs (exec) are not compared, since they answer no
/// points again
study::Sweep sweep_of_results(const std::string& results, const SweepOptions& sweep);

/// \throws InputError if a sweep is not the one of a results file, with the differences
void expect_same_sweep(const study::Sweep& sweep, const std::string& results);

}  // namespace dse::app
