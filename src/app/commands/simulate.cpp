#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/choice_option.hpp"
#include "app/command.hpp"
#include "app/replay_report.hpp"
#include "app/shared_machine.hpp"
#include "app/simulated_job.hpp"
#include "app/simulated_timeline.hpp"
#include "app/trace_arguments.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/netsim/astra/read_files.hpp"
#include "dse/netsim/astra_sim.hpp"
#include "dse/netsim/registry.hpp"
#include "dse/sim/replay/astra_replay.hpp"
#include "dse/sim/replay/machine_replay.hpp"

namespace dse::app {
namespace {

namespace chakra = trace::chakra;
using sim::replay::AstraRank;
using sim::replay::Dependencies;
using sim::replay::KernelTimes;
using sim::replay::MachineRank;

struct SimulateOptions {
    std::vector<std::string> prefixes;  ///< of jobs
    std::string groups_file;            ///< of a single job
    netsim::AstraPaths astra;
    bool aware{false};
    bool rendezvous{false};
    std::string system;
    std::string network;  ///< empty: latency_bandwidth, or flow for several jobs
    std::optional<hardware::Placement> placement;
    std::optional<KernelTimes> kernels;  ///< recorded_first if not given
    Dependencies dependencies{Dependencies::all};
    SimulatedTimelineOptions timeline;
    bool json{false};
};

TraceArguments traces_of(const SimulateOptions& options) {
    return {options.prefixes.front(), options.groups_file};
}

void print(const SimulateOptions& options, const std::vector<ReplayRow>& rows) {
    if (options.json) {
        print_replay_json(rows);
    } else {
        print_replay_table(rows);
    }
}

/// Rejects beforehand what would stop the simulation, or make its result meaningless.
void require_playable(const LoadedTraces& traces) {
    const chakra::Findings findings = check_traces(traces.set, traces.faults, traces.groups, traces.coverage);
    std::string errors;
    for (const chakra::Finding& finding : findings.all()) {
        const std::string text = fmt::format("{} ({} times): {}", name(finding.kind), finding.count,
                                             finding.examples.empty() ? "" : finding.examples.front());
        if (stops_play(finding)) {
            errors += fmt::format("\n  {}", text);
            if (finding.kind == chakra::FindingKind::unknown_group && traces.groups_file.empty())
                errors += "; name the file of groups: --comm-groups FILE, or PREFIX.json beside the traces";
        } else if (finding.kind == chakra::FindingKind::counted_in_elements) {
            std::cerr << fmt::format("warning: {}\n", text);
        }
    }
    const std::string job =
        traces.set.ranks.size() == 1 ? job_beside(traces.set.ranks.front().path) : std::string{};
    if (!errors.empty() && !job.empty())
        errors += fmt::format("\n  this is one rank of a job: did you mean all of them, '{}'?", job);
    if (!errors.empty())
        throw InputError(
            fmt::format("these traces cannot be played (dse et check lists all errors):{}", errors));
}

/// A trace that is part of another one waits for nodes that it does not contain. These may be treated as
/// done.
enum class Pieces : std::uint8_t { refused, played };

void require_whole(const LoadedTraces& traces, Pieces pieces) {
    for (const auto& [rank, faults] : traces.faults) {
        const std::string& path = traces.set.ranks[rank].path;
        for (const chakra::TraceFault& fault : faults.all) {
            if (pieces == Pieces::refused || fault.kind != chakra::TraceFault::Kind::unknown_dependency)
                throw InputError(fmt::format("'{}': {} (dse et repair fixes what it can)", path, fault.text));
        }
        std::cerr << fmt::format("warning: '{}': {} (and {} more like it): considered done\n", path,
                                 faults.all.front().text, faults.count - 1);
    }
}

netsim::AstraMachine astra_machine_of(const SimulateOptions& options) {
    config::Diagnostics diagnostics;
    netsim::AstraMachine machine = read_astra_machine(options.astra, diagnostics);
    if (!diagnostics.all().empty()) std::cerr << diagnostics.text() << "\n";
    machine.rules.network = options.aware ? netsim::AstraNetwork::aware : netsim::AstraNetwork::unaware;
    machine.rules.protocol =
        options.rendezvous ? netsim::AstraProtocol::rendezvous : netsim::AstraProtocol::eager;
    return machine;
}

/// Jobs with fewer messages than this (about a second) are simulated message by message where the order of
/// ASTRA-sim's events of the same tick could matter.
constexpr std::int64_t few_messages = 500'000;

std::vector<AstraRank> replay(const sim::replay::AstraJob& job, std::int64_t few) {
    if (count_messages(job, few) >= few) return sim::replay::replay(job);
    if (auto ranks = replay_if_certain(job)) return *std::move(ranks);
    return replay_messages(job);
}

/// Simulates like ASTRA-sim, tick for tick. A timeline needs every message.
/// \param few  jobs with fewer messages than this keep its order of events wherever that could matter
std::vector<ReplayRow> as_astra_sim(const LoadedTraces& traces, const netsim::AstraMachine& machine,
                                    std::int64_t few, SimulatedTimeline& timeline) {
    require_whole(traces, Pieces::refused);
    require_playable(traces);
    const sim::replay::AstraGroups groups{traces.set.ranks, traces.groups};
    std::vector<ReplayRow> rows;
    const auto seconds = [](netsim::Ticks ticks) { return Seconds{static_cast<double>(ticks) * 1e-9}; };
    const sim::replay::AstraJob job{traces.set.ranks, groups, machine};
    const auto observe = events_of(timeline.add_job(traces.set.ranks.front().path, traces.set.ranks));
    for (const AstraRank& rank : observe ? replay_messages(job, observe) : replay(job, few)) {
        rows.push_back({seconds(rank.finish), seconds(rank.compute), seconds(rank.exposed()), rank.finish,
                        rank.exposed()});
    }
    timeline.write();
    return rows;
}

std::vector<ReplayRow> with_astra_files(const SimulateOptions& options, SimulatedTimeline& timeline) {
    const netsim::AstraMachine machine = astra_machine_of(options);
    const auto devices = static_cast<std::size_t>(machine.system.npus());
    return as_astra_sim(load_job(traces_of(options), devices), machine, few_messages, timeline);
}

/// Recorded times belong to the device that was recorded: they stay the same on every machine.
bool has_recorded_kernels(const LoadedTraces& traces) {
    return std::ranges::any_of(traces.set.ranks, [](const chakra::RankTrace& rank) {
        const chakra::Trace& trace = *rank.trace;
        for (std::size_t i = 0; i < trace.size(); ++i) {
            const chakra::TraceStep& step = trace.step(chakra::NodeIndex{i});
            if (step.type == chakra::NodeType::comp && !step.is_cpu_op && step.duration_micros > 0)
                return true;
        }
        return false;
    });
}

void note_recorded_kernels(const SimulateOptions& options, std::span<const LoadedTraces> jobs) {
    if (options.kernels || std::ranges::none_of(jobs, has_recorded_kernels)) return;
    std::cerr << fmt::format(
        "note: kernels take the times recorded in the traces, whatever the machine; --kernels roofline "
        "predicts them for {} (--kernels recorded-first: no note)\n",
        options.system);
}

std::vector<ReplayRow> rows_of(std::span<const MachineRank> ranks) {
    std::vector<ReplayRow> rows;
    rows.reserve(ranks.size());
    for (const MachineRank& rank : ranks) rows.push_back({rank.finish, rank.compute, rank.exposed});
    return rows;
}

std::vector<ReplayRow> on_machine(const SimulateOptions& options, const hardware::ClusterSpec& cluster,
                                  const model::NetworkModel& network, const LoadedTraces& traces,
                                  SimulatedTimeline& timeline) {
    const std::int64_t devices = std::ssize(traces.set.ranks);
    if (network.traits().replays_as_astra_sim) {
        netsim::AstraMachine machine;
        machine.system = netsim::AstraSim{cluster.network}.system(devices);
        if (const double rate = cluster.host.bandwidth.value(); rate > 0.0) {
            machine.memory.kind = netsim::AstraMemory::Kind::per_npu;
            machine.memory.bytes_per_tick = rate * 1e-9;
        }
        return as_astra_sim(traces, machine, 0, timeline);
    }
    require_whole(traces, Pieces::played);
    require_playable(traces);
    note_recorded_kernels(options, {&traces, 1});
    sim::replay::NodeTimes times{cluster, network, devices,
                                 options.kernels.value_or(KernelTimes::recorded_first)};
    std::vector<ReplayRow> rows =
        rows_of(replay_on_machine({traces.set.ranks, &traces.groups}, times, options.dependencies,
                                  timeline.add_job(traces.set.ranks.front().path, traces.set.ranks)));
    timeline.write();
    return rows;
}

/// Several jobs, or one whose own messages share links.
SharedMachineRun on_shared_machine(const SimulateOptions& options, const hardware::ClusterSpec& cluster,
                                   const model::NetworkModel& network, SimulatedTimeline& timeline) {
    std::vector<LoadedTraces> jobs;
    for (const std::string& prefix : options.prefixes) {
        jobs.push_back(load_job({prefix, options.groups_file}));
        require_whole(jobs.back(), Pieces::played);
        require_playable(jobs.back());
    }
    note_recorded_kernels(options, jobs);
    SharedMachineOptions how{options.placement, options.kernels.value_or(KernelTimes::recorded_first),
                             options.dependencies};
    for (std::size_t j = 0; j < jobs.size(); ++j)
        how.observers.push_back(timeline.add_job(options.prefixes[j], jobs[j].set.ranks));
    SharedMachineRun run = run_on_shared_machine(jobs, options.prefixes, cluster, network, how);
    timeline.write();
    return run;
}

void simulate_on_machine(const SimulateOptions& options, SimulatedTimeline& timeline) {
    const auto cluster = config::read_from_library<hardware::ClusterSpec>(
        config::Library::standard(""), "hardware/clusters", options.system, "command line");
    const bool several = options.prefixes.size() > 1;
    const std::string name =
        options.network.empty() ? (several ? "flow" : "latency_bandwidth") : options.network;
    const auto network = netsim::network_models().find(name)(cluster.network);
    if (several && name != "flow") {
        throw InputError(fmt::format(
            "--network {}: several jobs need flow (the default), which models the links that they share",
            name));
    }
    if (several && !options.groups_file.empty()) {
        throw InputError(
            "--comm-groups is for one job: the groups of several are read from the PREFIX.json of each");
    }
    if (!several && options.placement)
        throw InputError("--placement is for several jobs: name the traces of each");
    if (!several && !network->traits().shares_everything) {
        print(options, on_machine(options, cluster, *network, load_job(traces_of(options)), timeline));
        return;
    }
    const SharedMachineRun run = on_shared_machine(options, cluster, *network, timeline);
    if (several) {
        options.json ? print_shared_machine_json(run) : print_shared_machine_table(run);
        return;
    }
    print(options, rows_of(run.jobs.front().together.ranks));
}

ExitCode simulate(const SimulateOptions& options) {
    const bool has_files = !options.astra.network.empty();
    if (has_files && !options.system.empty())
        throw InputError("--system and --astra-network exclude each other: both say what the traces run on");
    if (has_files == !options.system.empty()) {
        throw InputError(
            "name the machine: --system, or --astra-network, --astra-system and "
            "--astra-memory");
    }
    if (!has_files && (options.aware || options.rendezvous))
        throw InputError("--astra-congestion-aware and --astra-rendezvous need ASTRA-sim's files");
    if (has_files && options.prefixes.size() > 1) {
        throw InputError(
            "ASTRA-sim's files describe a machine for one job; several jobs share one of --system");
    }
    SimulatedTimeline timeline{options.timeline};
    if (has_files) {
        print(options, with_astra_files(options, timeline));
    } else {
        simulate_on_machine(options, timeline);
    }
    return ExitCode::ok;
}

void declare_astra(CLI::App& app, SimulateOptions& options) {
    auto* network = app.add_option("--astra-network", options.astra.network, "ASTRA-sim's network file");
    auto* system = app.add_option("--astra-system", options.astra.system, "ASTRA-sim's system file");
    auto* memory = app.add_option("--astra-memory", options.astra.memory, "ASTRA-sim's remote memory file");
    for (CLI::Option* option : {network, system, memory})
        option->check(CLI::ExistingFile.description(""))->type_name("FILE")->group("ASTRA-sim");
    network->needs(system)->needs(memory);
    system->needs(network);
    memory->needs(network);
    app.add_flag("--astra-congestion-aware", options.aware,
                 "messages share links, as in its congestion-aware network (one dimension)")
        ->group("ASTRA-sim");
    app.add_flag("--astra-rendezvous", options.rendezvous,
                 "messages wait for their receivers (ASTRA-sim's --rendezvous-protocol)")
        ->group("ASTRA-sim");
}

void declare_machine(CLI::App& app, SimulateOptions& options) {
    auto* system =
        app.add_option("--system", options.system, "a file of hardware/clusters (see dse list clusters)")
            ->type_name("NAME")
            ->group("Machine");
    app.add_option(
           "--network", options.network,
           "the model of its network (see dse list; default latency_bandwidth, for several jobs flow)")
        ->needs(system)
        ->type_name("MODEL")
        ->group("Machine");
    app.add_option("--placement", options.placement,
                   "of several jobs: packed, or interleaved, their domains in turn (default: what the "
                   "cluster's topology.placement says)")
        ->needs(system)
        ->transform(choice_of<hardware::Placement>())
        ->type_name("KIND")
        ->group("Machine");
    const std::map<std::string, KernelTimes> kernels{{"recorded-first", KernelTimes::recorded_first},
                                                     {"recorded", KernelTimes::recorded},
                                                     {"roofline", KernelTimes::roofline}};
    app.add_option("--kernels", options.kernels,
                   "kernel times: recorded-first (as recorded, otherwise from operations and bytes), "
                   "recorded, or roofline")
        ->needs(system)
        ->transform(choice_of(kernels))
        ->type_name("SOURCE")
        ->group("Machine");
    const std::map<std::string, Dependencies> dependencies{{"all", Dependencies::all},
                                                           {"data", Dependencies::data}};
    app.add_option(
           "--dependencies", options.dependencies,
           "all (default), or data: ignore control dependencies, for traces in which they form a call tree")
        ->needs(system)
        ->transform(choice_of(dependencies))
        ->type_name("KIND")
        ->group("Machine");
}

}  // namespace

Action declare_simulate(CLI::App& app) {
    const auto options = std::make_shared<SimulateOptions>();
    app.add_option("traces", options->prefixes,
                   "PREFIX for PREFIX.0.et, PREFIX.1.et, …, or a trace; several: jobs that share the machine")
        ->required()
        ->type_name("FILE|PREFIX");
    add_groups_option(app, options->groups_file);
    declare_machine(app, *options);
    declare_astra(app, *options);
    declare_simulated_timeline(app, options->timeline);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return simulate(*options); };
}

}  // namespace dse::app
