#include "app/et/et.hpp"

#include <memory>

#include <CLI/CLI.hpp>

#include "app/command.hpp"

namespace dse::app {
namespace {

struct Part {
    const char* name;
    const char* description;
    Action (*declare)(CLI::App& app);
};

constexpr Part parts[] = {
    {"info", "what traces hold: nodes, operations, bytes, communication by group, streams, critical path",
     &et::declare_info},
    {"check", "what is wrong with traces, and what looks wrong, before a simulator is given them",
     &et::declare_check},
    {"diff", "what differs between traces, whatever their nodes' ids and order", &et::declare_diff},
    {"json", "a trace as JSON, a node a line", &et::declare_json},
    {"repair", "traces with the order of streams, without dependencies that cannot be met",
     &et::declare_repair},
    {"obfuscate",
     "traces without names, with rounded sizes and salted groups; what that changes of their simulated time",
     &et::declare_obfuscate},
    {"kineto",
     "profiles of PyTorch as traces: launches, streams, events, synchronisation; replayed beside the "
     "recording",
     &et::declare_kineto},
};

}  // namespace

Action declare_et(CLI::App& app) {
    app.require_subcommand(1);
    const auto chosen = std::make_shared<Action>();
    for (const Part& part : parts) {
        CLI::App& own = *app.add_subcommand(part.name, part.description);
        own.callback([chosen, action = part.declare(own)] { *chosen = action; });
    }
    return [chosen] { return (*chosen)(); };
}

}  // namespace dse::app
