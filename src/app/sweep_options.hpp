#pragma once

#include <string>
#include <vector>

#include "dse/study/point_choice.hpp"
#include "dse/study/sweep.hpp"

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
study::Sweep load(const SweepOptions& options);

/// The same for commands that simulate points. \throws InputError also where a program answers them (exec)
study::Sweep load_simulated(const SweepOptions& options);

/// Prints what the sweep's files were warned of.
void print_warnings(const study::Sweep& sweep);

/// Says on standard error which values of a point nobody asked for.
void print_open(const study::Sweep& sweep, const study::PointChoice& choice);

}  // namespace dse::app
