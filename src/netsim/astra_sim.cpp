#include "dse/netsim/astra_sim.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "dse/model/network/by_pattern.hpp"
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

/// The group as a pattern of equally spaced members; nothing if they are not equally spaced.
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

/// Calls `look(ranks)` for the groups over `axes`: once if all of them are equivalent, else for each.
template <class Look>
void for_groups(const graph::Mesh& mesh, graph::AxisSet axes, const model::Spread& group, Look&& look) {
    for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
        const std::vector<std::int64_t> ranks = mesh.group(axes, rank);
        if (ranks.front() != rank) continue;
        look(ranks);
        if (group.even) return;
    }
}

/// Bytes that a rank sends in a collective, as ASTRA-sim counts them.
std::int64_t bytes_of(CollectiveKind kind, Bytes size, std::int64_t members) {
    const bool gathers = kind == CollectiveKind::all_gather;
    return std::llround(size.value() / (gathers ? static_cast<double>(members) : 1.0));
}

/// All members send to the next one at once, each an ordinary message.
Ticks shift_of(const AstraSystem& system, std::int64_t bytes, std::span<const std::int64_t> ranks) {
    Ticks slowest = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        slowest = std::max(slowest, system.delay(ranks[i], ranks[(i + 1) % ranks.size()], bytes));
    return slowest;
}

/// Kernels are replayed from traces, whose durations are whole microseconds.
constexpr model::NetworkTraits traits_of_astra_sim{.tick = Seconds{1e-9},
                                                   .kernel_tick = Seconds{1e-6},
                                                   .one_queue = true,
                                                   .knows_algorithms = true,
                                                   .replays_as_astra_sim = true};

}  // namespace

AstraSim::AstraSim(const hardware::NetworkSpec& network)
    : NetworkModel{traits_of_astra_sim}, network_{network} {}

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

Seconds AstraSim::time(const model::Communication& what) const {
    return model::by_pattern(
        what,
        [&](CollectiveKind kind, const model::AxisGroups& groups) {
            const std::int64_t members = groups.mesh->degree(groups.axes);
            if (members == 1 || what.size == Bytes{}) return Seconds{};
            return seconds(
                over(system(groups.mesh->ranks()), kind, bytes_of(kind, what.size, members), groups));
        },
        [&](const model::StagePairs& pairs) {
            if (pairs.from == pairs.to || what.size == Bytes{}) return Seconds{};
            return seconds(between(system(pairs.mesh->ranks()), what, pairs));
        },
        [&](const model::RankList& list) {
            if (what.size == Bytes{}) return Seconds{};
            const std::int64_t bytes = bytes_of(*what.collective, what.size, std::ssize(list.ranks));
            return seconds(listed(system(list.devices), *what.collective, bytes, list.ranks));
        });
}

Ticks AstraSim::over(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes,
                     const model::AxisGroups& groups) const {
    const graph::Mesh& mesh = *groups.mesh;
    if (kind == CollectiveKind::ring_shift) return shift(system, bytes, groups);
    const auto played = [&](auto play) { return played_.find(kind, bytes, groups.axes, mesh, play); };
    const std::int64_t members = mesh.degree(groups.axes);
    if (members == mesh.ranks()) {
        if (const auto ticks = ticks_.closed(system, kind, bytes)) return *ticks;
        return played([&] { return ticks_.all(system, kind, bytes); });
    }
    const auto sizes = model::sizes_of(model::job_dimensions(network_, mesh.ranks()));
    const model::Spread group = model::spread(mesh, groups.axes, sizes.get());
    if (const auto pattern = pattern_of(group, members)) {
        if (const auto ticks = ticks_.group(system, kind, bytes, *pattern)) return *ticks;
    }
    return played([&] {
        Ticks slowest = 0;
        for_groups(mesh, groups.axes, group, [&](const std::vector<std::int64_t>& ranks) {
            slowest = std::max(slowest, ticks_.group(system, kind, bytes, ranks));
        });
        return slowest;
    });
}

Ticks AstraSim::shift(const AstraSystem& system, std::int64_t bytes, const model::AxisGroups& groups) const {
    const graph::Mesh& mesh = *groups.mesh;
    const auto sizes = model::sizes_of(model::job_dimensions(network_, mesh.ranks()));
    const model::Spread group = model::spread(mesh, groups.axes, sizes.get());
    if (const auto pattern = pattern_of(group, mesh.degree(groups.axes))) {
        return AstraCollectiveTicks::shift(system, bytes, *pattern);
    }
    Ticks slowest = 0;
    for_groups(mesh, groups.axes, group, [&](const std::vector<std::int64_t>& ranks) {
        slowest = std::max(slowest, shift_of(system, bytes, ranks));
    });
    return slowest;
}

Ticks AstraSim::listed(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes,
                       std::span<const std::int64_t> ranks) const {
    if (kind == CollectiveKind::ring_shift) return shift_of(system, bytes, ranks);
    return ticks_.group(system, kind, bytes, ranks);
}

/// A message per pair, or a collective of two ranks.
Ticks AstraSim::between(const AstraSystem& system, const model::Communication& what,
                        const model::StagePairs& pairs) const {
    if (what.collective && pairs.mesh->ranks() == 2)
        return ticks_.all(system, *what.collective, bytes_of(*what.collective, what.size, 2));
    const auto sizes = model::sizes_of(model::job_dimensions(network_, pairs.mesh->ranks()));
    Ticks slowest = 0;
    model::for_stage_pairs(
        *pairs.mesh, pairs.from, pairs.to, sizes.get(), [&](std::int64_t rank, std::int64_t peer) {
            const std::array pair{std::min(rank, peer), std::max(rank, peer)};
            const Ticks ticks = what.collective ? listed(system, *what.collective,
                                                         bytes_of(*what.collective, what.size, 2), pair)
                                                : system.delay(rank, peer, std::llround(what.size.value()));
            slowest = std::max(slowest, ticks);
        });
    return slowest;
}

Seconds AstraSim::scheduled(const Schedule& schedule, double scale, CollectiveKind kind,
                            const model::RankList& group) const {
    AstraSystem system = this->system(group.devices);
    system.splits = 1;
    const AstraSchedule scaled{schedule.scaled(scale)};
    const AstraPlan plan = plan_scheduled(system, scaled, kind, 0, std::ssize(group.ranks));
    return seconds(std::ranges::max(play_messages(system, AstraNetwork::unaware, plan, group.ranks)));
}

}  // namespace dse::netsim
