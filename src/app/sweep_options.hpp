#pragma once

#include <string>
#include <vector>

#include "dse/eval/sweep.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Which sweep, and what of it is set on the command line.
struct SweepOptions {
    std::string file;
    std::vector<std::string> settings;  ///< "key=value"
};

/// Adds SWEEP.yaml and --set. \param options  outlives the parser
void add_sweep_options(CLI::App& app, SweepOptions& options);

/// \throws InputError with every error of the sweep
eval::Sweep load(const SweepOptions& options);

/// Prints what the sweep's files were warned of.
void print_warnings(const eval::Sweep& sweep);

}  // namespace dse::app
