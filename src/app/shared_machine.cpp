#include "app/shared_machine.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/text_table.hpp"
#include "dse/base/error.hpp"
#include "dse/netsim/placed_jobs.hpp"

namespace dse::app {
namespace {

using sim::replay::MachineRank;
using sim::replay::PlacedJob;
using sim::replay::SharedRun;
using Replay = std::function<std::vector<SharedRun>(std::span<const PlacedJob>)>;

/// "0-7,16-23": runs of consecutive numbers.
std::string ranges_of(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[first]);
        if (last > first) text += fmt::format("-{}", numbers[last]);
        first = last + 1;
    }
    return text;
}

/// Of the rank that ends last.
const MachineRank& last_of(const std::vector<MachineRank>& ranks) {
    return *std::ranges::max_element(ranks, {}, [](const MachineRank& rank) { return rank.finish.value(); });
}

/// Says of which job an error speaks.
SharedRun replay_alone(const PlacedJob& job, const std::string& name, const Replay& replay) {
    try {
        return replay({&job, 1}).front();
    } catch (const InputError& error) {
        throw InputError(fmt::format("job '{}': {}", name, error.what()));
    } catch (const ModelError& error) {
        throw InputError(fmt::format("job '{}': {}", name, error.what()));
    }
}

/// Nodes that are replayed until an iteration of the longest job has ended; a million take about a second.
double nodes_until(Seconds end, const SharedJob& job, const LoadedTraces& traces) {
    double nodes = 0.0;
    for (const trace::chakra::RankTrace& rank : traces.set.ranks)
        nodes += static_cast<double>(rank.trace->size());
    return nodes * std::max(1.0, end / job.alone);
}

/// A job that begins again and again beside a long one could go on for days.
void require_similar_lengths(const std::vector<SharedJob>& jobs, const std::vector<LoadedTraces>& traces) {
    constexpr double most_nodes = 1e9;
    const SharedJob& longest =
        *std::ranges::max_element(jobs, {}, [](const SharedJob& job) { return job.alone.value(); });
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        // A job that takes no time is refused where it would begin again.
        if (jobs[j].alone == Seconds{} || nodes_until(longest.alone, jobs[j], traces[j]) <= most_nodes)
            continue;
        throw InputError(
            fmt::format("job '{}' takes {}, and would have {:.3g} iterations until one of '{}' ({}) has "
                        "ended: name jobs whose iterations differ less",
                        jobs[j].traces, human_seconds(jobs[j].alone.value()), longest.alone / jobs[j].alone,
                        longest.traces, human_seconds(longest.alone.value())));
    }
}

}  // namespace

SharedMachineRun run_on_shared_machine(const std::vector<LoadedTraces>& traces,
                                       const std::vector<std::string>& names,
                                       const hardware::ClusterSpec& cluster,
                                       const model::NetworkModel& network,
                                       const SharedMachineOptions& options) {
    if (cluster.network.topology.jobs > 1) {
        throw InputError(fmt::format(
            "topology.jobs of '{}' is {}, which is for sweeps: name the traces of each job instead",
            cluster.name, cluster.network.topology.jobs));
    }
    std::vector<std::int64_t> sizes;
    sizes.reserve(traces.size());
    for (const LoadedTraces& job : traces) sizes.push_back(std::ssize(job.set.ranks));
    const netsim::PlacedJobs placed = netsim::place_jobs(
        cluster.network, sizes, options.placement.value_or(cluster.network.topology.placement));
    sim::replay::NodeTimes times{cluster, network, placed.machine, options.kernels};
    std::vector<PlacedJob> jobs;
    for (std::size_t j = 0; j < traces.size(); ++j)
        jobs.push_back({{traces[j].set.ranks, &traces[j].groups}, placed.devices[j]});
    const Replay replay = [&](std::span<const PlacedJob> some) {
        return replay_together(some, placed.machine, cluster.network, times, options.dependencies);
    };
    const auto observe = [&] {
        for (std::size_t j = 0; j < options.observers.size(); ++j) jobs[j].observe = options.observers[j];
    };
    SharedMachineRun run{{}, placed.machine};
    if (jobs.size() == 1) observe();
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        SharedRun alone = replay_alone(jobs[j], names[j], replay);
        const Seconds time = alone.time;
        run.jobs.push_back({names[j], placed.devices[j], time, std::move(alone)});
    }
    if (jobs.size() == 1) return run;
    require_similar_lengths(run.jobs, traces);
    observe();
    std::vector<SharedRun> together = replay(jobs);
    for (std::size_t j = 0; j < jobs.size(); ++j) run.jobs[j].together = std::move(together[j]);
    return run;
}

void print_shared_machine_json(const SharedMachineRun& run) {
    Json json = json_object();
    json["devices"] = run.devices;
    json["jobs"] = Json::array();
    for (const SharedJob& job : run.jobs) {
        Json entry{{"traces", job.traces},
                   {"devices", job.devices},
                   {"time_alone", job.alone.value()},
                   {"time", job.together.time.value()},
                   {"slowdown", job.slowdown()},
                   {"iterations", job.together.iterations},
                   {"ranks", Json::array()}};
        for (std::size_t rank = 0; rank < job.together.ranks.size(); ++rank) {
            const MachineRank& of = job.together.ranks[rank];
            entry["ranks"].push_back({{"rank", rank},
                                      {"time", of.finish.value()},
                                      {"exposed_communication", of.exposed.value()},
                                      {"compute", of.compute.value()}});
        }
        json["jobs"].push_back(std::move(entry));
    }
    print_json(json);
}

void print_shared_machine_table(const SharedMachineRun& run) {
    std::cout << fmt::format("{} on {} devices, whose links they share\n", counted(run.jobs.size(), "job"),
                             run.devices);
    constexpr std::size_t width = 32;
    TextTable table;
    table.add_column("job", TextTable::Align::left);
    table.add_column("devices", TextTable::Align::left);
    for (const char* name : {"alone", "together", "slowdown", "exposed communication", "iterations"})
        table.add_column(name);
    for (const SharedJob& job : run.jobs) {
        table.add_row({human_name(job.traces, width), human_name(ranges_of(job.devices), width),
                       human_seconds(job.alone.value()), human_seconds(job.together.time.value()),
                       signed_share_cell(job.slowdown() - 1.0),
                       human_seconds(last_of(job.together.ranks).exposed.value()),
                       fmt::format("{}", job.together.iterations)});
    }
    std::cout << table.text(2);
}

}  // namespace dse::app
