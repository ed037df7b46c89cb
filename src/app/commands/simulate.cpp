#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/text_table.hpp"
#include "dse/model/network/astra/read_files.hpp"
#include "dse/sim/replay/astra_replay.hpp"
#include "dse/workload/chakra/trace_set.hpp"

namespace dse::app {
namespace {

namespace chakra = workload::chakra;
using sim::replay::AstraRank;

struct Options {
    std::string prefix;
    std::string groups;
    model::AstraPaths astra;
    bool aware{false};
    bool rendezvous{false};
    bool json{false};
};

constexpr double tick = 1e-9;

model::AstraMachine machine_of(const Options& options) {
    config::Diagnostics diagnostics;
    model::AstraMachine machine = read_astra_machine(options.astra, diagnostics);
    if (!diagnostics.all().empty()) std::cerr << diagnostics.text() << "\n";
    machine.rules.network = options.aware ? model::AstraNetwork::aware : model::AstraNetwork::unaware;
    machine.rules.protocol =
        options.rendezvous ? model::AstraProtocol::rendezvous : model::AstraProtocol::eager;
    return machine;
}

void print_json_of(const std::vector<AstraRank>& ranks, model::Ticks last) {
    Json json = json_object();
    json["time"] = static_cast<double>(last) * tick;
    json["ticks"] = last;
    json["ranks"] = Json::array();
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        json["ranks"].push_back({{"rank", rank},
                                 {"time", static_cast<double>(ranks[rank].finish) * tick},
                                 {"ticks", ranks[rank].finish},
                                 {"exposed_communication", static_cast<double>(ranks[rank].exposed()) * tick},
                                 {"exposed_communication_ticks", ranks[rank].exposed()}});
    }
    print_json(json);
}

/// Ranks in a row with the same answer share a line.
void print_table(const std::vector<AstraRank>& ranks, model::Ticks last) {
    std::cout << fmt::format("{} ({} ticks of ASTRA-sim)\n", human_seconds(static_cast<double>(last) * tick),
                             last);
    TextTable table;
    table.add_column("ranks", TextTable::Align::left);
    for (const char* name : {"time", "computing", "exposed communication", "ticks"}) table.add_column(name);
    for (std::size_t first = 0; first < ranks.size();) {
        std::size_t next = first + 1;
        while (next < ranks.size() && ranks[next] == ranks[first]) ++next;
        const auto seconds = [](model::Ticks ticks) {
            return human_seconds(static_cast<double>(ticks) * tick);
        };
        table.add_row({next - first == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, next - 1),
                       seconds(ranks[first].finish), seconds(ranks[first].compute),
                       seconds(ranks[first].exposed()), fmt::format("{}", ranks[first].finish)});
        first = next;
    }
    std::cout << table.text(2);
}

/// As many traces as the machine has devices.
chakra::TraceSet read_ranks(const std::string& prefix, std::int64_t ranks) {
    std::vector<std::string> files = chakra::trace_files(prefix);
    if (std::ssize(files) < ranks) {
        throw InputError(fmt::format("{}: {} traces for {} devices: '{}.{}.et' is missing", prefix,
                                     files.size(), ranks, prefix, files.size()));
    }
    files.resize(static_cast<std::size_t>(ranks));
    return chakra::read_traces(files);
}

ExitCode simulate(const Options& options) {
    const model::AstraMachine machine = machine_of(options);
    const chakra::TraceSet traces = read_ranks(options.prefix, machine.system.npus());
    chakra::Groups listed{machine.system.npus()};
    if (!options.groups.empty()) read_groups(options.groups, listed);
    const sim::replay::AstraGroups groups{traces.ranks, listed};
    const std::vector<AstraRank> ranks = sim::replay::replay({traces.ranks, groups, machine});
    const model::Ticks last = std::ranges::max(ranks, {}, &AstraRank::finish).finish;
    if (options.json) {
        print_json_of(ranks, last);
    } else {
        print_table(ranks, last);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_simulate(CLI::App& app) {
    const auto options = std::make_shared<Options>();
    app.add_option("prefix", options->prefix, "of the traces: PREFIX.0.et, PREFIX.1.et, …")
        ->required()
        ->type_name("PREFIX");
    app.add_option("--comm-groups", options->groups, "groups of ranks by their names in the traces (JSON)")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
    auto* network = app.add_option("--astra-network", options->astra.network, "ASTRA-sim's network file");
    auto* system = app.add_option("--astra-system", options->astra.system, "ASTRA-sim's system file");
    auto* memory = app.add_option("--astra-memory", options->astra.memory, "ASTRA-sim's remote memory file");
    for (CLI::Option* option : {network, system, memory}) {
        option->required()->check(CLI::ExistingFile)->type_name("FILE");
    }
    app.add_flag("--astra-congestion-aware", options->aware,
                 "messages share links, as in its congestion-aware network (one dimension)");
    app.add_flag("--astra-rendezvous", options->rendezvous,
                 "messages wait for their receivers (its --rendezvous-protocol)");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return simulate(*options); };
}

}  // namespace dse::app
