#include "app/et/et.hpp"

#include <array>

#include "app/subcommands.hpp"

namespace dse::app {

Action declare_et(CLI::App& app) {
    static const std::array parts{
        Command{"info",
                "summarize traces: nodes, operations, bytes, communication by group, streams, critical path",
                &et::declare_info},
        Command{"check", "find errors and suspicious values in traces before they go to a simulator",
                &et::declare_check},
        Command{"diff", "compare traces, ignoring the ids and the order of nodes", &et::declare_diff},
        Command{"dot", "print the graph of a trace in the language of Graphviz, which draws it",
                &et::declare_dot},
        Command{"json", "print a trace as JSON, one node per line", &et::declare_json},
        Command{"repair",
                "copy traces, dropping dependencies that cannot be met and adding the order of streams",
                &et::declare_repair},
        Command{
            "obfuscate",
            "copy traces without names, with rounded sizes and renamed groups; tells how the simulated time "
            "changes",
            &et::declare_obfuscate},
        Command{"kineto",
                "convert PyTorch profiles to traces, with launches, streams, events and synchronization, and "
                "compare their replay with the recording",
                &et::declare_kineto},
        Command{"msccl",
                "check a collective algorithm in MSCCL's XML, and convert it to traces for a network's "
                "schedules or ASTRA-sim",
                &et::declare_msccl}};
    return declare_subcommands(app, parts);
}

}  // namespace dse::app
