#include "app/shared_machine.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/text_table.hpp"
#include "dse/base/error.hpp"
#include "dse/netsim/placed_jobs.hpp"
#include "dse/netsim/registry.hpp"

namespace dse::app {
namespace {

using sim::replay::MachineRank;
using sim::replay::PlacedJob;

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

}  // namespace

SharedMachineRun run_on_shared_machine(const std::vector<LoadedTraces>& traces,
                                       const std::vector<std::string>& names,
                                       const hardware::ClusterSpec& cluster,
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
    const auto network = netsim::network_models().find("flow")(cluster.network);
    sim::replay::NodeTimes times{cluster, *network, placed.machine, options.kernels};
    std::vector<PlacedJob> jobs;
    for (std::size_t j = 0; j < traces.size(); ++j)
        jobs.push_back({{traces[j].set.ranks, &traces[j].groups}, placed.devices[j]});
    const auto replay = [&](std::span<const PlacedJob> some) {
        return replay_together(some, placed.machine, cluster.network, times, options.dependencies);
    };
    std::vector<sim::replay::SharedRun> together = replay(jobs);
    SharedMachineRun run{{}, placed.machine};
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const Seconds alone = jobs.size() == 1 ? together[j].time : replay({&jobs[j], 1}).front().time;
        run.jobs.push_back({names[j], placed.devices[j], alone, std::move(together[j])});
    }
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
