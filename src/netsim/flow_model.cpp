#include "dse/netsim/flow_model.hpp"

#include <algorithm>
#include <array>

#include "dse/base/check.hpp"
#include "dse/hardware/network/domain_links.hpp"
#include "dse/model/network/by_pattern.hpp"
#include "dse/model/network/job_dimensions.hpp"
#include "dse/model/network/spread.hpp"
#include "netsim/flow/job_places.hpp"
#include "netsim/flow_play.hpp"

namespace dse::netsim {
namespace {

using flow::Level;
using graph::CollectiveKind;
using hardware::DimensionKind;
using hardware::DimensionList;

/// The default levels: domains, and the fabric between them, as switches unless the devices of a domain are
/// joined directly.
DimensionList domains(const hardware::NetworkSpec& network, std::int64_t devices) {
    const std::int64_t inside = std::min(devices, network.scale_up.occupied(devices));
    DimensionList levels;
    const auto add = [&](DimensionKind kind, std::int64_t size) {
        if (size == 1) return;
        hardware::DimensionSpec level;
        level.kind = kind;
        level.size = size;
        level.algorithm = network.topology.collectives;
        levels.push_back(level);
    };
    const bool direct = hardware::DomainLinks{network}.are_direct();
    add(direct ? DimensionKind::fully_connected : DimensionKind::switched, inside);
    add(DimensionKind::switched, devices % inside == 0 ? devices / inside : 0);
    return levels;
}

DimensionList dimensions_of(const hardware::NetworkSpec& network, std::int64_t devices) {
    const bool has_dimensions = flow::topology_kind(network) == hardware::TopologyKind::dimensions;
    return has_dimensions ? model::job_dimensions(network, devices) : domains(network, devices);
}

/// A group without a pattern.
Level plain_level(const hardware::NetworkSpec& network, std::int64_t members) {
    return {members, DimensionKind::switched, false, network.topology.collectives};
}

/// Where the members of a group stand along one dimension.
struct Positions {
    std::vector<std::int64_t> all;  ///< distinct, ascending

    [[nodiscard]] std::int64_t members() const { return std::ssize(all); }
    /// Whether each has its neighbours at the same distance, also around the end of a dimension of this size.
    [[nodiscard]] bool closes(std::int64_t size) const {
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool last = i + 1 == all.size();
            if (((last ? all.front() + size : all[i + 1]) - all[i]) * members() != size) return false;
        }
        return true;
    }
};

/// By dimension. The outermost one is as long as needed.
std::vector<Positions> positions_of(std::span<const std::int64_t> members, const DimensionList& dimensions) {
    std::vector<Positions> result(dimensions.size());
    for (const std::int64_t member : members) {
        std::int64_t rest = member;
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            const bool outermost = d + 1 == dimensions.size();
            result[d].all.push_back(outermost ? rest : rest % dimensions[d].size);
            if (!outermost) rest /= dimensions[d].size;
        }
    }
    for (Positions& along : result) {
        std::ranges::sort(along.all);
        along.all.erase(std::unique(along.all.begin(), along.all.end()), along.all.end());
    }
    return result;
}

}  // namespace

std::vector<Level> levels_of(const hardware::NetworkSpec& network, const graph::Mesh& mesh,
                             graph::AxisSet axes) {
    const DimensionList dimensions = dimensions_of(network, mesh.ranks());
    const model::JobSizes sizes = model::sizes_of(dimensions);
    const bool whole = std::ranges::count(sizes.get(), 0) == 0;
    std::vector<Level> levels;
    if (whole) {
        const model::Spread group = model::spread(mesh, axes, sizes.get());
        for (std::size_t d = 0; group.even && d < dimensions.size(); ++d) {
            const model::Spread::Along& along = group.along[d];
            if (along.members == 1) continue;
            const bool around = along.members * along.stride == dimensions[d].size;
            levels.push_back({along.members, dimensions[d].kind,
                              dimensions[d].kind == DimensionKind::ring && around, dimensions[d].algorithm});
        }
    }
    if (levels.empty()) levels.push_back(plain_level(network, mesh.degree(axes)));
    return levels;
}

std::vector<Level> levels_of(const hardware::NetworkSpec& network, std::int64_t devices,
                             std::span<const std::int64_t> members) {
    const DimensionList dimensions = dimensions_of(network, devices);
    const std::vector<Positions> positions = positions_of(members, dimensions);
    std::int64_t combinations = 1;
    for (const Positions& along : positions) combinations *= along.members();
    // Members are distinct, so as many as there are combinations are all of these.
    if (combinations != std::ssize(members)) return {plain_level(network, std::ssize(members))};
    std::vector<Level> levels;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const hardware::DimensionSpec& dimension = dimensions[d];
        if (positions[d].members() == 1) continue;
        const bool closed = dimension.kind == DimensionKind::ring && positions[d].closes(dimension.size);
        levels.push_back({positions[d].members(), dimension.kind, closed, dimension.algorithm});
    }
    return levels;
}

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
    const flow::CollectivePlan plan = flow::plan_collective(kind, levels_of(network_, mesh, groups.axes));
    Attempt machine{*this, mesh.ranks()};
    flow::Job job;
    job.plan = &plan;
    job.size = size;
    job.chunks = network_.collective.chunks;
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
    const flow::CollectivePlan plan = flow::plan_collective(kind, levels_of(network_, list.devices, members));
    Attempt machine{*this, list.devices};
    flow::Job job;
    job.plan = &plan;
    job.size = size;
    job.chunks = network_.collective.chunks;
    machine->start(job, members);
    return launch_of(kind) + machine.drain();
}

Seconds FlowModel::message(Bytes size, const model::StagePairs& pairs) const {
    if (pairs.from == pairs.to) return Seconds{};
    const graph::Mesh& mesh = *pairs.mesh;
    const flow::CollectivePlan plan = flow::plan_message();
    Attempt machine{*this, mesh.ranks()};
    flow::Job job;
    job.plan = &plan;
    job.size = size;
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
