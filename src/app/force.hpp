#pragma once

#include "dse/base/output_file.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Adds the option --force to a command that writes files.
void add_force(CLI::App& app, Existing& existing);

}  // namespace dse::app
