#pragma once

#include <span>

#include "app/command.hpp"

namespace dse::app {

/// Gives a command parts of its own (`dse et info`), of which one has to be named.
Action declare_subcommands(CLI::App& app, std::span<const Command> parts);

}  // namespace dse::app
