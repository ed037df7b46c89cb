#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/trace_arguments.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/sim/replay/machine_replay.hpp"

namespace dse::app {

/// A job that shares a machine with others.
struct SharedJob {
    std::string traces;                 ///< as named on the command line
    std::vector<std::int64_t> devices;  ///< by rank
    Seconds alone;                      ///< time of an iteration without the others, on the same devices
    sim::replay::SharedRun together;

    [[nodiscard]] double slowdown() const { return together.time / alone; }
};

struct SharedMachineRun {
    std::vector<SharedJob> jobs;
    std::int64_t devices{0};  ///< of the machine that the jobs span
};

/// How jobs are replayed that share a machine.
struct SharedMachineOptions {
    std::optional<hardware::Placement> placement;  ///< otherwise that of the cluster's topology
    sim::replay::KernelTimes kernels{sim::replay::KernelTimes::recorded_first};
    sim::replay::Dependencies dependencies{sim::replay::Dependencies::all};
    /// By job, or none: told of its first iteration, beside the others.
    std::vector<sim::replay::SpanObserver> observers{};
};

/// Replays jobs on one machine by network model `flow`: first each alone, then all together.
/// \param traces   playable; by job, with their names on the command line
/// \param network  `flow`, of the cluster
/// \throws InputError, ModelError as replay_together and place_jobs do; InputError if one of several jobs
///         takes no time, or so little that it would begin again and again
SharedMachineRun run_on_shared_machine(const std::vector<LoadedTraces>& traces,
                                       const std::vector<std::string>& names,
                                       const hardware::ClusterSpec& cluster,
                                       const model::NetworkModel& network,
                                       const SharedMachineOptions& options);

void print_shared_machine_json(const SharedMachineRun& run);
void print_shared_machine_table(const SharedMachineRun& run);

}  // namespace dse::app
