#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/replay_report.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/model/network/astra/read_files.hpp"
#include "dse/model/network/astra_sim.hpp"
#include "dse/model/registry.hpp"
#include "dse/sim/replay/astra_replay.hpp"
#include "dse/sim/replay/machine_replay.hpp"
#include "dse/workload/chakra/trace_set.hpp"

namespace dse::app {
namespace {

namespace chakra = workload::chakra;
using sim::replay::AstraRank;
using sim::replay::Dependencies;
using sim::replay::KernelTimes;
using sim::replay::MachineRank;

struct Options {
    std::string prefix;
    std::string groups;
    model::AstraPaths astra;
    bool aware{false};
    bool rendezvous{false};
    std::string system;
    std::string network{"latency_bandwidth"};
    KernelTimes kernels{KernelTimes::recorded_first};
    Dependencies dependencies{Dependencies::all};
    bool json{false};
};

void print(const Options& options, const std::vector<ReplayRow>& rows) {
    if (options.json) {
        print_replay_json(rows);
    } else {
        print_replay_table(rows);
    }
}

/// \param ranks  that are needed; the others are left out
chakra::TraceSet read_ranks(std::vector<std::string> files, const Options& options, std::int64_t ranks) {
    if (std::ssize(files) < ranks) {
        throw InputError(fmt::format("{} traces for {} devices: '{}.{}.et' is missing", files.size(), ranks,
                                     options.prefix, files.size()));
    }
    files.resize(static_cast<std::size_t>(ranks));
    return chakra::read_traces(files);
}

model::AstraMachine astra_machine_of(const Options& options) {
    config::Diagnostics diagnostics;
    model::AstraMachine machine = read_astra_machine(options.astra, diagnostics);
    if (!diagnostics.all().empty()) std::cerr << diagnostics.text() << "\n";
    machine.rules.network = options.aware ? model::AstraNetwork::aware : model::AstraNetwork::unaware;
    machine.rules.protocol =
        options.rendezvous ? model::AstraProtocol::rendezvous : model::AstraProtocol::eager;
    return machine;
}

/// As ASTRA-sim would, tick for tick.
std::vector<ReplayRow> as_astra_sim(const Options& options, const model::AstraMachine& machine) {
    const std::int64_t devices = machine.system.npus();
    const chakra::TraceSet traces = read_ranks(chakra::trace_files(options.prefix), options, devices);
    chakra::Groups listed{devices};
    if (!options.groups.empty()) read_groups(options.groups, listed);
    const sim::replay::AstraGroups groups{traces.ranks, listed};
    std::vector<ReplayRow> rows;
    const auto seconds = [](model::Ticks ticks) { return Seconds{static_cast<double>(ticks) * 1e-9}; };
    for (const AstraRank& rank : sim::replay::replay({traces.ranks, groups, machine})) {
        rows.push_back({seconds(rank.finish), seconds(rank.compute), seconds(rank.exposed()), rank.finish,
                        rank.exposed()});
    }
    return rows;
}

/// A trace that is a piece of another one waits for nodes that are elsewhere: these are taken to have ended.
chakra::TraceSet read_pieces(const std::vector<std::string>& files) {
    std::vector<chakra::RankFaults> faults;
    chakra::TraceSet traces = chakra::read_traces(files, faults);
    for (const chakra::RankFaults& rank : faults) {
        for (const chakra::TraceFault& fault : rank.faults.all) {
            if (fault.kind != chakra::TraceFault::Kind::unknown_dependency)
                throw InputError(fmt::format("'{}': {}", files[rank.rank], fault.text));
        }
        std::cerr << fmt::format("warning: '{}': {} (and {} more like it): taken as done\n", files[rank.rank],
                                 rank.faults.all.front().text, rank.faults.count - 1);
    }
    return traces;
}

std::vector<ReplayRow> on_machine(const Options& options) {
    const auto cluster = config::read_from_library<hardware::ClusterSpec>(
        config::Library::standard(""), "hardware/clusters", options.system, "command line");
    if (options.network == "astra_sim") {
        model::AstraMachine machine;
        machine.system =
            model::AstraSim{cluster.network}.system(std::ssize(chakra::trace_files(options.prefix)));
        return as_astra_sim(options, machine);
    }
    const auto network = model::network_models().find(options.network)(cluster.network);
    const std::vector<std::string> files = chakra::trace_files(options.prefix);
    const std::int64_t devices = std::ssize(files);
    const chakra::TraceSet traces = read_pieces(files);
    chakra::Groups groups{devices};
    if (!options.groups.empty()) read_groups(options.groups, groups);
    add_declared(traces.ranks, groups);
    sim::replay::NodeTimes times{cluster, *network, devices, options.kernels};
    std::vector<ReplayRow> rows;
    for (const MachineRank& rank : replay_on_machine(traces.ranks, groups, times, options.dependencies))
        rows.push_back({rank.finish, rank.compute, rank.exposed});
    return rows;
}

ExitCode simulate(const Options& options) {
    const bool has_files = !options.astra.network.empty();
    if (has_files == !options.system.empty()) {
        throw InputError(
            "say what the traces run on: --system, or --astra-network, --astra-system and "
            "--astra-memory");
    }
    if (!has_files && (options.aware || options.rendezvous))
        throw InputError("--astra-congestion-aware and --astra-rendezvous need ASTRA-sim's files");
    print(options, has_files ? as_astra_sim(options, astra_machine_of(options)) : on_machine(options));
    return ExitCode::ok;
}

void declare_astra(CLI::App& app, Options& options) {
    auto* network = app.add_option("--astra-network", options.astra.network, "ASTRA-sim's network file");
    auto* system = app.add_option("--astra-system", options.astra.system, "ASTRA-sim's system file");
    auto* memory = app.add_option("--astra-memory", options.astra.memory, "ASTRA-sim's remote memory file");
    for (CLI::Option* option : {network, system, memory})
        option->check(CLI::ExistingFile)->type_name("FILE")->group("ASTRA-sim");
    network->needs(system)->needs(memory);
    system->needs(network);
    memory->needs(network);
    app.add_flag("--astra-congestion-aware", options.aware,
                 "messages share links, as in its congestion-aware network (one dimension)")
        ->group("ASTRA-sim");
    app.add_flag("--astra-rendezvous", options.rendezvous,
                 "messages wait for their receivers (its --rendezvous-protocol)")
        ->group("ASTRA-sim");
}

void declare_machine(CLI::App& app, Options& options) {
    auto* system =
        app.add_option("--system", options.system, "a file of hardware/clusters (see dse list clusters)")
            ->type_name("NAME")
            ->group("Machine");
    app.add_option("--network", options.network,
                   "the model of its network (see dse list; default latency_bandwidth)")
        ->needs(system)
        ->type_name("MODEL")
        ->group("Machine");
    const std::map<std::string, KernelTimes> kernels{{"recorded-first", KernelTimes::recorded_first},
                                                     {"recorded", KernelTimes::recorded},
                                                     {"roofline", KernelTimes::roofline}};
    app.add_option(
           "--kernels", options.kernels,
           "what kernels take: recorded-first (as recorded, else from operations and bytes), recorded, "
           "roofline")
        ->needs(system)
        ->transform(CLI::CheckedTransformer(kernels).description(""))
        ->type_name("SOURCE")
        ->group("Machine");
    const std::map<std::string, Dependencies> dependencies{{"all", Dependencies::all},
                                                           {"data", Dependencies::data}};
    app.add_option("--dependencies", options.dependencies,
                   "all (default), or data: leave out control dependencies, where they are a call tree")
        ->needs(system)
        ->transform(CLI::CheckedTransformer(dependencies).description(""))
        ->type_name("KIND")
        ->group("Machine");
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
    declare_machine(app, *options);
    declare_astra(app, *options);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return simulate(*options); };
}

}  // namespace dse::app
