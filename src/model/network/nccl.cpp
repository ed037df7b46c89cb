#include "dse/model/network/nccl.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/model/network/by_pattern.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::GpuGeneration;
using hardware::LibraryFeature;

/// Largest message that is sent with protocol LL inside a domain.
constexpr Bytes most_ll_message{16384.0};

/// The thresholds are halfway between the line rates of the generations.
GpuGeneration generation_of(const hardware::NetworkSpec& network) {
    if (network.nccl.generation != GpuGeneration::automatic) return network.nccl.generation;
    const double rate = network.scale_up.link.bandwidth.value() / 1e9;
    if (rate < 225.0) return GpuGeneration::volta;
    if (rate < 375.0) return GpuGeneration::ampere;
    return rate < 675.0 ? GpuGeneration::hopper : GpuGeneration::blackwell;
}

bool is_tuned(CollectiveKind kind) {
    return kind != CollectiveKind::all_to_all && kind != CollectiveKind::ring_shift;
}

/// Number of ring steps.
double ring_steps(CollectiveKind kind, double members) {
    return kind == CollectiveKind::all_reduce ? 2.0 * (members - 1.0) : members - 1.0;
}

constexpr Seconds microseconds(double value) {
    return Seconds{value * 1e-6};
}

[[noreturn]] void refuse(const Placement& group) {
    throw ModelError(
        fmt::format("NCCL finds no channel for a group of {} × {} ranks (its slowest channel needs more "
                    "bandwidth than the links or NICs have)",
                    group.inside, group.domains));
}

}  // namespace

Nccl::Nccl(const hardware::NetworkSpec& network)
    : network_{network},
      generation_{generation_of(network)},
      links_{network},
      nvlink_{network.scale_up.link.bandwidth.value() * 1e-9 * nccl_constants::nvlink_share(generation_)},
      nics_a_device_{network.nccl.nics == 0 ? 1.0
                                            : static_cast<double>(network.nccl.nics) /
                                                  static_cast<double>(network.scale_up.domain)},
      nic_{network.scale_out.link.bandwidth.value() * 1e-9 / nics_a_device_},
      on_links_{network.nccl.sharpness},
      in_switches_{network.nccl.switch_sharpness} {}

NcclGroup Nccl::group_of(const Placement& placement) const {
    const double nics = static_cast<double>(placement.inside) * nics_a_device_;
    NcclGroup group;
    group.node = {.generation = generation_,
                  .devices = placement.inside,
                  .nvlink = nvlink_rate(placement.inside),
                  .alone = placement.domains == 1,
                  .nics = std::max<std::int64_t>(static_cast<std::int64_t>(nics), 1),
                  .nic = nic_};
    group.domains = placement.domains;
    group.processor = network_.nccl.processor;
    group.net_latency = network_.nccl.net_latency.value() * 1e6;
    group.nic_share = network_.scale_out.link.efficiency;
    group.ll128 = network_.nccl.ll128 == LibraryFeature::automatic;
    group.switches_reduce = network_.scale_up.reduction.efficiency > 0.0;
    group.fabric_reduces = network_.nccl.fabric_reduction == hardware::FabricReduction::sharp;
    return group;
}

Placement Nccl::placement_of(const AxisGroups& groups) const {
    return place(*groups.mesh, groups.axes, network_.scale_up.occupied(groups.mesh->ranks()));
}

Seconds Nccl::time(const Communication& what) const {
    return by_pattern(
        what,
        [&](CollectiveKind kind, const AxisGroups& groups) {
            return collective(kind, what.size, placement_of(groups));
        },
        [&](const StagePairs& pairs) {
            if (pairs.from == pairs.to || what.size == Bytes{}) return Seconds{};
            const std::int64_t domain = network_.scale_up.occupied(pairs.mesh->ranks());
            return message(what.size, stages_cross_domains(*pairs.mesh, pairs.from, pairs.to, domain));
        },
        [](const RankList& list) -> Seconds { refuse_irregular("nccl", list); });
}

Seconds Nccl::collective(CollectiveKind kind, Bytes size, const Placement& group) const {
    DSE_EXPECT(size >= Bytes{} && group.inside >= 1 && group.domains >= 1);
    if (group.members() == 1 || size == Bytes{}) return Seconds{};
    if (kind == CollectiveKind::ring_shift) return message(size, group.domains > 1);
    if (kind == CollectiveKind::all_to_all) return all_to_all(size, group);
    const double bytes = size.value();
    const NcclTuner tuner{group_of(group)};
    const NcclCandidates candidates = tuner.candidates(kind);
    const NcclCandidate* best = nullptr;
    double soonest = 0.0;
    for (const NcclCandidate& candidate : candidates.get()) {
        const double estimate = tuner.estimate(candidate, kind, bytes);
        if (best != nullptr && estimate >= soonest) continue;
        best = &candidate;
        soonest = estimate;
    }
    if (best == nullptr) refuse(group);
    return microseconds(played_time(tuner, *best, kind, bytes, group));
}

std::vector<Alternative> Nccl::alternatives(const Communication& what) const {
    const auto* groups = std::get_if<AxisGroups>(&what.devices);
    if (groups == nullptr || !what.collective) return {};
    const CollectiveKind kind = *what.collective;
    const Placement group = placement_of(*groups);
    if (group.members() == 1 || what.size == Bytes{} || !is_tuned(kind)) return {};
    const double bytes = what.size.value();
    const NcclTuner tuner{group_of(group)};
    const NcclCandidates candidates = tuner.candidates(kind);
    std::vector<Alternative> all;
    for (const NcclCandidate& candidate : candidates.get()) {
        all.push_back({fmt::format("{} {}", name(candidate.algorithm), name(candidate.protocol)),
                       microseconds(played_time(tuner, candidate, kind, bytes, group)),
                       microseconds(tuner.estimate(candidate, kind, bytes))});
    }
    std::ranges::stable_sort(all, {}, &Alternative::expected);
    return all;
}

/// In microseconds.
double Nccl::played_time(const NcclTuner& tuner, const NcclCandidate& candidate, CollectiveKind kind,
                         double bytes, const Placement& group) const {
    double rate = candidate.links * tuner.correction(candidate, bytes);
    if (group.domains > 1) rate = std::min(rate, candidate.fabric / contention(group));
    double transfer = bytes / (1000.0 * rate);
    if (candidate.algorithm == NcclAlgorithm::ring) {
        transfer *= 1.0 + network_.nccl.own_copy / ring_steps(kind, static_cast<double>(group.members()));
    }
    const double latency = network_.nccl.overhead.value() * 1e6 + tuner.latency(candidate, kind, bytes);
    // LL protocols carry flags with each word and need no fences, so latency and transfer simply add up.
    if (candidate.protocol != NcclProtocol::simple) return latency + transfer;
    const bool in_switches =
        candidate.algorithm == NcclAlgorithm::nvls || candidate.algorithm == NcclAlgorithm::nvls_tree;
    return in_switches ? in_switches_(latency, transfer) : on_links_(latency, transfer);
}

/// Bytes that the fabric has to carry per byte that a group sends at full rate.
double Nccl::contention(const Placement& group) const {
    // On a rail fabric, collectives stay on their rails.
    const bool spine = network_.nccl.fabric == hardware::FabricKind::uniform;
    // Larger than 1 if groups have so few devices per domain that several groups share a NIC.
    const double sharing = 1.0 / (static_cast<double>(group.inside) * nics_a_device_);
    return (spine ? network_.scale_out.oversubscription : 1.0) * std::max(sharing, 1.0);
}

Seconds Nccl::all_to_all(Bytes size, const Placement& group) const {
    const hardware::NcclSpec& nccl = network_.nccl;
    const auto inside = static_cast<double>(group.inside);
    const Bytes part = size / static_cast<double>(group.members());
    const Bytes leaves = size - part * inside;
    const double other_rails = (inside - 1.0) / inside;
    Bytes over_nvlink = part * (inside - 1.0 + nccl.own_copy);
    double across = network_.scale_out.oversubscription;
    if (nccl.pxn == LibraryFeature::automatic) over_nvlink += leaves * other_rails;
    if (nccl.fabric == hardware::FabricKind::rail_optimized) {
        across = nccl.pxn == LibraryFeature::automatic ? 1.0 : 1.0 + (across - 1.0) * other_rails;
    }
    const Seconds nvlink = over_nvlink / BytesPerSecond{nvlink_rate(group.inside) * 1e9};
    const Seconds fabric = leaves * across / network_.scale_out.link.sustained();
    const Seconds latency = nccl.overhead + message_latency(part, group.domains > 1);
    return Seconds{in_switches_(latency.value(), std::max(nvlink, fabric).value())};
}

/// Time of the library, and one step of a ring.
Seconds Nccl::message_latency(Bytes size, bool crosses) const {
    const bool ll = !crosses && size <= most_ll_message;
    const NcclProtocol protocol = ll ? NcclProtocol::ll : NcclProtocol::simple;
    const Seconds base = network_.collective.message_launch;
    if (!crosses) return base + microseconds(nccl_constants::nvlink_latency(NcclAlgorithm::ring, protocol));
    return base + microseconds(nccl_constants::net_latency(NcclAlgorithm::ring, protocol)) +
           network_.nccl.net_latency * 2.0;
}

Seconds Nccl::message(Bytes size, bool crosses) const {
    const bool spine = network_.nccl.fabric == hardware::FabricKind::uniform;
    const BytesPerSecond fabric =
        spine ? network_.scale_out.sustained() : network_.scale_out.link.sustained();
    return message_latency(size, crosses) + size / (crosses ? fabric : BytesPerSecond{nvlink_rate(2) * 1e9});
}

}  // namespace dse::model
