#include "subcommands.hpp"

#include <memory>

#include <CLI/CLI.hpp>

namespace dse::app {

Action declare_subcommands(CLI::App& app, std::span<const Command> parts) {
    app.require_subcommand(1);
    const auto chosen = std::make_shared<Action>();
    for (const Command& part : parts) {
        CLI::App& own = *app.add_subcommand(part.name, part.description);
        own.callback([chosen, action = part.declare(own)] { *chosen = action; });
    }
    return [chosen] { return (*chosen)(); };
}

}  // namespace dse::app
