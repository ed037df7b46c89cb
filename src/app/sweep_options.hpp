#pragma once

#include <string>
#include <vector>

#include "dse/study/point_choice.hpp"
#include "dse/study/sweep.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// A sweep, and its settings from the command line.
struct SweepOptions {
    std::string file;
    std::vector<std::string> settings;  ///< "key=value"
};

/// Adds SWEEP.yaml and --set. \param options  must outlive the parser
void add_sweep_options(CLI::App& app, SweepOptions& options);

/// \throws InputError with all errors of the sweep
study::Sweep load(const SweepOptions& options);

/// Same for commands that simulate points. \throws InputError also if a program answers them (exec)
study::Sweep load_simulated(const SweepOptions& options);

/// Prints the warnings about the sweep's files.
void print_warnings(const study::Sweep& sweep);

/// Lists on stderr the values of a point that were not requested explicitly.
void print_open(const study::Sweep& sweep, const study::PointChoice& choice);

}  // namespace dse::app
