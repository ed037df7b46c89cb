#pragma once

#include <string>

#include "dse/results/table.hpp"
#include "dse/results/trust.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Gives a command that reads results the option --unsealed.
void add_unsealed(CLI::App& app, results::Trust& trust);

/// Says on stderr where nothing vouches for the rows of a file.
void warn_if_unsealed(const results::Table& table, const std::string& file);

}  // namespace dse::app
