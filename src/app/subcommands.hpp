#pragma once

#include <span>

#include "app/command.hpp"

namespace dse::app {

/// Declares the subcommands of a command (`dse et info`), one of which must be given.
Action declare_subcommands(CLI::App& app, std::span<const Command> parts);

}  // namespace dse::app
