#include "dse/netsim/astra_sim.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "dse/model/network/dimension_cost.hpp"
#include "dse/model/network/dimension_path.hpp"
#include "dse/model/network/job_dimensions.hpp"
#include "dse/netsim/astra/player.hpp"
#include "dse/netsim/astra/schedule.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionList;
using hardware::DimensionSpec;

constexpr Seconds seconds(Ticks ticks) {
    return Seconds{static_cast<double>(ticks) * 1e-9};
}

Algorithm algorithm_of(const DimensionSpec& dimension, CollectiveKind kind) {
    if (dimension.algorithm != Algorithm::automatic) return dimension.algorithm;
    const Algorithm usual = model::usual_algorithm(dimension.kind, kind);
    const bool power_of_two = std::has_single_bit(static_cast<std::uint64_t>(dimension.size));
    return usual == Algorithm::halving_doubling && !power_of_two ? Algorithm::ring : usual;
}

/// A group whose members follow one another at equal distances; nothing where they do not.
std::optional<AstraGroup> pattern_of(const model::Spread& group, std::int64_t members) {
    if (!group.even) return std::nullopt;
    for (std::size_t d = 0; d < group.count; ++d) {
        const model::Spread::Along& along = group.along[d];
        if (along.members == 1) continue;
        if (along.runs > 1) return std::nullopt;
        return AstraGroup{members, d, along.members, along.stride};
    }
    return std::nullopt;
}

/// Calls `look(ranks)` for the groups over `axes`: for one where all lie alike, else for each.
template <class Look>
void for_groups(const graph::Mesh& mesh, graph::AxisSet axes, const model::Spread& group, Look&& look) {
    for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
        const std::vector<std::int64_t> ranks = mesh.group(axes, rank);
        if (ranks.front() != rank) continue;
        look(ranks);
        if (group.even) return;
    }
}

}  // namespace

AstraSim::AstraSim(const hardware::NetworkSpec& network) : network_{network} {}

AstraSystem AstraSim::system(std::int64_t devices) const {
    AstraSystem system;
    const DimensionList dimensions = model::job_dimensions(network_, devices);
    for (const DimensionSpec& dimension : dimensions) {
        system.add(AstraDimension::of_file(dimension.kind, dimension.size,
                                           dimension.link.sustained().value() * 1e-9,
                                           dimension.link.latency.value() * 1e9));
    }
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                      CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
        std::array<AstraAlgorithm, AstraSystem::most_dimensions> algorithms;
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            algorithms[d].algorithm = algorithm_of(dimensions[d], kind);
        }
        system.set_algorithms(kind, {algorithms.data(), dimensions.size()});
    }
    system.splits = network_.collective.chunks;
    system.active_chunks = network_.astra_sim.active_chunks;
    system.endpoint_delay = std::llround(network_.astra_sim.endpoint_delay.value() * 1e9);
    system.reduction_bandwidth = network_.astra_sim.reduction_bandwidth.value();
    return system;
}

Seconds AstraSim::collective(const graph::Collective& collective, const graph::Mesh& mesh) const {
    const std::int64_t members = mesh.degree(collective.axes);
    if (members == 1 || collective.size == Bytes{}) return Seconds{};
    const AstraSystem system = this->system(mesh.ranks());
    const bool gathers = collective.kind == CollectiveKind::all_gather;
    const double size = collective.size.value() / (gathers ? static_cast<double>(members) : 1.0);
    const std::int64_t bytes = std::llround(size);
    if (collective.kind == CollectiveKind::ring_shift) {
        return seconds(shift(system, collective, mesh, bytes));
    }
    const auto played = [&](auto play) {
        return seconds(played_.find(collective.kind, bytes, collective.axes, mesh, play));
    };
    if (members == mesh.ranks()) {
        if (const auto ticks = ticks_.closed(system, collective.kind, bytes)) return seconds(*ticks);
        return played([&] { return ticks_.all(system, collective.kind, bytes); });
    }
    const auto sizes = model::sizes_of(model::job_dimensions(network_, mesh.ranks()));
    const model::Spread group = model::spread(mesh, collective.axes, sizes.get());
    if (const auto pattern = pattern_of(group, members)) {
        const auto ticks = ticks_.group(system, collective.kind, bytes, *pattern);
        if (ticks) return seconds(*ticks);
    }
    return played([&] {
        Ticks slowest = 0;
        for_groups(mesh, collective.axes, group, [&](const std::vector<std::int64_t>& ranks) {
            slowest = std::max(slowest, ticks_.group(system, collective.kind, bytes, ranks));
        });
        return slowest;
    });
}

Seconds AstraSim::exchange(const graph::Collective& collective, const graph::Mesh& mesh) const {
    const std::int64_t stages = mesh.degree(graph::MeshAxis::pipeline);
    if (stages == 1 || collective.size == Bytes{}) return Seconds{};
    const AstraSystem system = this->system(mesh.ranks());
    const std::int64_t bytes = std::llround(collective.size.value());
    if (mesh.ranks() == 2) return seconds(ticks_.all(system, collective.kind, bytes));
    const auto sizes = model::sizes_of(model::job_dimensions(network_, mesh.ranks()));
    Ticks slowest = 0;
    model::for_stage_pairs(mesh, 0, stages - 1, sizes.get(), [&](std::int64_t rank, std::int64_t peer) {
        const std::array pair{std::min(rank, peer), std::max(rank, peer)};
        slowest = std::max(slowest, ticks_.group(system, collective.kind, bytes, pair));
    });
    return seconds(slowest);
}

/// Every member sends to the next at once, a message like any other.
Ticks AstraSim::shift(const AstraSystem& system, const graph::Collective& collective, const graph::Mesh& mesh,
                      std::int64_t bytes) const {
    const auto sizes = model::sizes_of(model::job_dimensions(network_, mesh.ranks()));
    const model::Spread group = model::spread(mesh, collective.axes, sizes.get());
    if (const auto pattern = pattern_of(group, mesh.degree(collective.axes))) {
        return AstraCollectiveTicks::shift(system, bytes, *pattern);
    }
    Ticks slowest = 0;
    for_groups(mesh, collective.axes, group, [&](const std::vector<std::int64_t>& ranks) {
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const std::int64_t next = ranks[(i + 1) % ranks.size()];
            slowest = std::max(slowest, system.delay(ranks[i], next, bytes));
        }
    });
    return slowest;
}

Seconds AstraSim::transfer(Bytes size, const graph::Mesh& mesh, std::int64_t from, std::int64_t to) const {
    if (from == to || size == Bytes{}) return Seconds{};
    const AstraSystem system = this->system(mesh.ranks());
    const auto sizes = model::sizes_of(model::job_dimensions(network_, mesh.ranks()));
    const std::int64_t bytes = std::llround(size.value());
    Ticks slowest = 0;
    model::for_stage_pairs(mesh, from, to, sizes.get(), [&](std::int64_t rank, std::int64_t peer) {
        slowest = std::max(slowest, system.delay(rank, peer, bytes));
    });
    return seconds(slowest);
}

std::optional<Seconds> AstraSim::scheduled(const Schedule& schedule, double scale,
                                           const graph::Collective& collective,
                                           const graph::Mesh& mesh) const {
    AstraSystem system = this->system(mesh.ranks());
    system.splits = 1;
    const AstraSchedule scaled{schedule.scaled(scale)};
    const std::vector<std::int64_t> ranks = mesh.group(collective.axes, 0);
    const AstraPlan plan = plan_scheduled(system, scaled, collective.kind, 0, std::ssize(ranks));
    return seconds(std::ranges::max(play_messages(system, AstraNetwork::unaware, plan, ranks)));
}

}  // namespace dse::netsim
