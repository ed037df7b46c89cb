#include "dse/model/network/calibrated.hpp"

#include <algorithm>
#include <cmath>

#include "dse/model/network/by_pattern.hpp"
#include "model/network/calibrated/staircases.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::GpuGeneration;

/// Size of the largest groups that the constants were fitted to.
constexpr std::int64_t most_members = 8;

/// Largest vector that they were fitted to.
constexpr Bytes most_bytes{512.0 * 1048576.0};

/// The thresholds are halfway between the line rates of the generations.
GpuGeneration measured_generation(const hardware::NetworkSpec& network) {
    const double rate = network.scale_up.link.bandwidth.value() / 1e9;
    if (rate < 225.0) return GpuGeneration::volta;
    if (network.nccl.generation != GpuGeneration::automatic) return network.nccl.generation;
    if (rate < 375.0) return GpuGeneration::ampere;
    return rate < 675.0 ? GpuGeneration::hopper : GpuGeneration::blackwell;
}

/// Bytes on a device's link per byte of the vector.
double wire_share(CollectiveKind kind, double members) {
    const double once = (members - 1.0) / members;
    return kind == CollectiveKind::all_reduce ? 2.0 * once : once;
}

Seconds sooner(Seconds a, Seconds b) {
    return a * std::pow(1.0 + std::pow(a / b, 4.0), -0.25);
}

Seconds time_of(const Staircase& way, Seconds transfer, double members) {
    const double share = way.long_share * std::pow(members / 8.0, way.long_growth);
    return sooner(way.short_latency + way.short_step * (members - 1.0) + transfer / way.short_share,
                  way.long_latency + way.long_step * (members - 1.0) + transfer / share);
}

}  // namespace

Calibrated::Calibrated(const hardware::NetworkSpec& network)
    : network_{network}, generation_{measured_generation(network)}, links_{network}, nccl_{network} {}

Seconds Calibrated::time(const Communication& what) const {
    return by_pattern(
        what, [&](CollectiveKind kind, const AxisGroups& groups) { return on_axes(kind, what.size, groups); },
        [&](const StagePairs&) { return nccl_.time(what); },
        [](const RankList& list) -> Seconds { refuse_irregular("calibrated", list); });
}

std::optional<Staircase> Calibrated::staircase_of(CollectiveKind kind) const {
    if (generation_ == GpuGeneration::volta) return std::nullopt;
    const Seconds own = network_.nccl.short_all_gather;
    return own > Seconds{} ? staircase(kind, own) : staircase(kind, generation_);
}

Seconds Calibrated::on_axes(CollectiveKind kind, Bytes size, const AxisGroups& groups) const {
    const Placement group =
        place(*groups.mesh, groups.axes, network_.scale_up.occupied(groups.mesh->ranks()));
    const bool measured = group.domains == 1 && group.members() > 1 && group.members() <= most_members;
    const auto way = staircase_of(kind);
    if (!way || !measured || size == Bytes{}) return nccl_.collective(kind, size, group);
    const auto members = static_cast<double>(group.members());
    const BytesPerSecond rate = network_.scale_up.link.bandwidth * links_.share(group.members());
    const Seconds transfer = std::min(size, most_bytes) * wire_share(kind, members) / rate;
    const Seconds fitted = time_of(*way, transfer, members) + network_.nccl.call_time;
    if (size <= most_bytes) return fitted;
    // Long messages still gain at the largest size: what exceeds it takes as long as in NCCL's own
    // bandwidths.
    return fitted + nccl_.collective(kind, size, group) - nccl_.collective(kind, most_bytes, group);
}

}  // namespace dse::model
