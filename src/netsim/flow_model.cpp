#include "dse/netsim/flow_model.hpp"

#include <algorithm>
#include <array>

#include "dse/base/check.hpp"
#include "dse/model/network/by_pattern.hpp"
#include "netsim/flow/job_places.hpp"
#include "netsim/flow/levels.hpp"
#include "netsim/flow/library_job.hpp"
#include "netsim/flow_play.hpp"

namespace dse::netsim {

using graph::CollectiveKind;

struct FlowModel::Machine {
    Machine(const hardware::NetworkSpec& network, std::int64_t devices_of_job)
        : devices{devices_of_job},
          places{network, devices},
          fabric{flow::build_fabric(network, places.devices())},
          traffic{fabric, network.topology} {}

    /// Starts the same job on all jobs of the machine.
    void start(const flow::Job& job, std::span<const std::int64_t> ranks) {
        for (std::int64_t j = 0; j < places.jobs(); ++j) traffic.start(job, places.place(j, ranks));
    }

    std::int64_t devices;
    flow::JobPlaces places;
    flow::Fabric fabric;
    flow::Traffic traffic;
};

/// Discards the cached machine unless the simulation on it ran to its end.
class FlowModel::Attempt {
  public:
    Attempt(const FlowModel& model, std::int64_t devices)
        : model_{&model}, machine_{&model.machine(devices)} {}
    ~Attempt() {
        if (!done_) model_->machine_.reset();
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

    Machine* operator->() { return machine_; }
    Seconds drain() {
        const Seconds end = machine_->traffic.drain();
        done_ = true;
        return end;
    }

  private:
    const FlowModel* model_;
    Machine* machine_;
    bool done_{false};
};

FlowModel::FlowModel(const hardware::NetworkSpec& network)
    : NetworkModel{{.knows_algorithms = true,
                    .shares_everything = network.topology.sharing == hardware::Sharing::everything}},
      network_{network} {}

FlowModel::~FlowModel() = default;

FlowModel::Machine& FlowModel::machine(std::int64_t devices) const {
    if (!machine_ || machine_->devices != devices) {
        machine_ = std::make_unique<Machine>(network_, devices);
    }
    return *machine_;
}

Seconds FlowModel::time(const model::Communication& what) const {
    if (what.size == Bytes{}) return Seconds{};
    return model::by_pattern(
        what,
        [&](CollectiveKind kind, const model::AxisGroups& groups) { return over(kind, what.size, groups); },
        [&](const model::StagePairs& pairs) { return message(what.size, pairs); },
        [&](const model::RankList& list) { return listed(*what.collective, what.size, list); });
}

Seconds FlowModel::launch_of(CollectiveKind kind) const {
    const bool message = kind == CollectiveKind::ring_shift;
    return message ? network_.collective.message_launch : network_.collective.launch;
}

Seconds FlowModel::over(CollectiveKind kind, Bytes size, const model::AxisGroups& groups) const {
    const graph::Mesh& mesh = *groups.mesh;
    if (mesh.degree(groups.axes) == 1) return Seconds{};
    const flow::CollectivePlan plan =
        flow::plan_collective(kind, flow::levels_of(network_, mesh, groups.axes));
    Attempt machine{*this, mesh.ranks()};
    const flow::Job job = flow::library_job(network_.collective, plan, size, Seconds{});
    std::vector<bool> taken(static_cast<std::size_t>(mesh.ranks()));
    for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
        if (taken[static_cast<std::size_t>(rank)]) continue;
        const std::vector<std::int64_t> group = mesh.group(groups.axes, rank);
        for (const std::int64_t member : group) taken[static_cast<std::size_t>(member)] = true;
        machine->start(job, group);
    }
    return launch_of(kind) + machine.drain();
}

Seconds FlowModel::listed(CollectiveKind kind, Bytes size, const model::RankList& list) const {
    std::vector<std::int64_t> members{list.ranks.begin(), list.ranks.end()};
    std::ranges::sort(members);
    const flow::CollectivePlan plan =
        flow::plan_collective(kind, flow::levels_of(network_, list.devices, members));
    Attempt machine{*this, list.devices};
    machine->start(flow::library_job(network_.collective, plan, size, Seconds{}), members);
    return launch_of(kind) + machine.drain();
}

Seconds FlowModel::message(Bytes size, const model::StagePairs& pairs) const {
    if (pairs.from == pairs.to) return Seconds{};
    const graph::Mesh& mesh = *pairs.mesh;
    const flow::CollectivePlan plan = flow::plan_message();
    Attempt machine{*this, mesh.ranks()};
    const flow::Job job = flow::library_job(network_.collective, plan, size, Seconds{});
    const std::int64_t stride = mesh.stride(graph::MeshAxis::pipeline);
    const std::int64_t span = stride * mesh.degree(graph::MeshAxis::pipeline);
    for (std::int64_t block = 0; block < mesh.ranks(); block += span) {
        for (std::int64_t rank = 0; rank < stride; ++rank) {
            machine->start(job,
                           std::array{block + pairs.from * stride + rank, block + pairs.to * stride + rank});
        }
    }
    return network_.collective.message_launch + machine.drain();
}

std::unique_ptr<model::NetworkPlay> FlowModel::play(const graph::Mesh& mesh) const {
    return std::make_unique<FlowPlay>(network_, mesh);
}

}  // namespace dse::netsim
