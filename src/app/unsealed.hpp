#pragma once

#include <string>

#include "dse/results/table.hpp"
#include "dse/results/trust.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Adds the option --unsealed to a command that reads results.
void add_unsealed(CLI::App& app, results::Trust& trust);

/// Prints a warning on stderr if the file has no valid seal.
void warn_if_unsealed(const results::Table& table, const std::string& file);

}  // namespace dse::app
