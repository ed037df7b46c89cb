#pragma once

#include "dse/base/output_file.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Gives a command that writes files the option --force.
void add_force(CLI::App& app, Existing& existing);

}  // namespace dse::app
