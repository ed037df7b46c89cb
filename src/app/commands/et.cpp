#include "app/et/et.hpp"

#include <array>

#include "app/subcommands.hpp"

namespace dse::app {

Action declare_et(CLI::App& app) {
    static const std::array parts{
        Command{"info",
                "what traces hold: nodes, operations, bytes, communication by group, streams, critical path",
                &et::declare_info},
        Command{"check", "what is wrong with traces, and what looks wrong, before a simulator is given them",
                &et::declare_check},
        Command{"diff", "what differs between traces, whatever their nodes' ids and order",
                &et::declare_diff},
        Command{"json", "a trace as JSON, a node a line", &et::declare_json},
        Command{"repair", "traces with the order of streams, without dependencies that cannot be met",
                &et::declare_repair},
        Command{"obfuscate",
                "traces without names, with rounded sizes and salted groups; what that changes of their "
                "simulated time",
                &et::declare_obfuscate},
        Command{
            "kineto",
            "profiles of PyTorch as traces: launches, streams, events, synchronisation; replayed beside the "
            "recording",
            &et::declare_kineto}};
    return declare_subcommands(app, parts);
}

}  // namespace dse::app
