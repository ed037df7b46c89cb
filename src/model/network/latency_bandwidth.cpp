#include "dse/model/network/latency_bandwidth.hpp"

#include <algorithm>
#include <bit>

#include "dse/base/check.hpp"
#include "dse/graph/dispatch.hpp"
#include "dse/model/network/by_pattern.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;

/// ⌈log2 n⌉
double log2_ceiling(std::int64_t n) {
    return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

/// Number of consecutive messages of the shorter of ring and tree. The messages of an all-to-all are posted
/// at once: one latency.
double steps(CollectiveKind kind, std::int64_t members) {
    if (members == 1) return 0.0;
    switch (kind) {
        case CollectiveKind::all_reduce:
            return 2.0 * log2_ceiling(members);
        case CollectiveKind::all_gather:
        case CollectiveKind::reduce_scatter:
        case CollectiveKind::broadcast:
            return log2_ceiling(members);
        case CollectiveKind::all_to_all:
        case CollectiveKind::ring_shift:
            return 1.0;
    }
    DSE_REQUIRE(false && "a collective without a number of steps");
    return 0.0;
}

/// Bytes that each member sends at one level per byte of the vector there.
double volume(CollectiveKind kind, std::int64_t members) {
    const double others = static_cast<double>(members - 1) / static_cast<double>(members);
    switch (kind) {
        case CollectiveKind::all_reduce:
            return 2.0 * others;
        case CollectiveKind::all_gather:
        case CollectiveKind::reduce_scatter:
        case CollectiveKind::all_to_all:
            return others;
        case CollectiveKind::broadcast:
        case CollectiveKind::ring_shift:
            return members > 1 ? 1.0 : 0.0;
    }
    DSE_REQUIRE(false && "a collective without a volume");
    return 0.0;
}

bool gathers(CollectiveKind kind) {
    return kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter;
}

}  // namespace

LatencyBandwidth::LatencyBandwidth(const hardware::NetworkSpec& network)
    : network_{network},
      up_{network.scale_up.link.sustained()},
      links_{network},
      out_{network.scale_out.sustained()},
      blend_{network.collective.sharpness} {}

/// Rate at which a device sends to the other members of a group in its domain.
BytesPerSecond LatencyBandwidth::up(std::int64_t members) const {
    return up_ * links_.share(members);
}

Seconds LatencyBandwidth::time(const Communication& what) const {
    return by_pattern(
        what,
        [&](CollectiveKind kind, const AxisGroups& groups) {
            const std::int64_t domain = network_.scale_up.occupied(groups.mesh->ranks());
            return collective(kind, what.size, place(*groups.mesh, groups.axes, domain), what.dispatch);
        },
        [&](const StagePairs& pairs) { return message(what.size, pairs); },
        [](const RankList& list) -> Seconds { refuse_irregular("latency_bandwidth", list); });
}

Seconds LatencyBandwidth::collective(CollectiveKind kind, Bytes size, const Placement& group,
                                     const graph::Dispatch& dispatch) const {
    DSE_EXPECT(size >= Bytes{} && group.inside >= 1 && group.domains >= 1);
    if (group.members() == 1 || size == Bytes{}) return Seconds{};
    if (kind == CollectiveKind::ring_shift) return shift(size, group);
    Seconds library = by_library(kind, size, group, dispatch, is_one_ring(kind, group));
    if (has_rings_too(kind, group))
        library = std::min(library, by_library(kind, size, group, dispatch, true));
    const bool has_own = kind == CollectiveKind::all_reduce && network_.collective.library_launch > Seconds{};
    if (!has_own || group.domains > 1) return library;
    const Bytes limit = network_.collective.one_step_limit;
    if (limit == Bytes{} || group.inside == 2) return std::min(library, direct(size, group));
    return size <= limit ? in_one_step(size, group.inside) : library;
}

/// \param ring  along rings of all members, one a channel, instead of level by level
Seconds LatencyBandwidth::by_library(CollectiveKind kind, Bytes size, const Placement& group,
                                     const graph::Dispatch& dispatch, bool ring) const {
    const Phase up = inside(kind, size, group, dispatch);
    const Phase out = across(kind, size, group, dispatch, ring);
    const Seconds longer = std::max(up.transfer, out.transfer);
    const Seconds shorter = std::min(up.transfer, out.transfer);
    // Both levels of a ring pass on at once what they get, as do switches that reduce and the tree across.
    const bool at_once = ring || reduces_in_switches(kind, group);
    const Seconds transfer = longer + shorter * (1.0 - (at_once ? 1.0 : network_.collective.phase_overlap));
    const Seconds counted = up.latency + out.latency;
    // The further steps of a ring delay each byte alike, so that they are added.
    return Seconds{blend_((launch(kind) + counted).value(), transfer.value())} +
           (ring ? ring_delay(kind, group, counted) : Seconds{});
}

/// Whether all members are on one ring (a channel for each NIC has one), which enters and leaves each domain
/// once: its NICs pass what every other member has, also what its own members could give each other.
bool LatencyBandwidth::is_one_ring(CollectiveKind kind, const Placement& group) const {
    if (group.domains == 1) return false;
    if (kind == CollectiveKind::all_reduce) return network_.nccl.nics == 1;
    return gathers(kind) && (network_.nccl.nics == 1 || gathers_along_rings());
}

/// Whether the library takes rings of all members if they are faster than its trees.
bool LatencyBandwidth::has_rings_too(CollectiveKind kind, const Placement& group) const {
    return kind == CollectiveKind::all_reduce && group.domains > 1 && gathers_along_rings() &&
           network_.nccl.nics != 1 && !reduces_in_switches(kind, group);
}

bool LatencyBandwidth::gathers_along_rings() const {
    return network_.collective.gathering == hardware::Gathering::ring;
}

/// By how much the steps of rings take longer than those counted: a ring has at least as many steps as
/// distances double, at either level. Short all-reduces over single NICs have those of a tree.
Seconds LatencyBandwidth::ring_delay(CollectiveKind kind, const Placement& group, Seconds counted) const {
    const bool reduces = kind == CollectiveKind::all_reduce;
    if (!gathers_along_rings() || (reduces && network_.nccl.nics == 1)) return Seconds{};
    const auto crossings = static_cast<double>(group.domains - 1);
    const auto others = static_cast<double>(group.members() - group.domains);
    const Seconds once =
        network_.scale_up.link.latency * others + network_.scale_out.link.latency * crossings;
    return once * (reduces ? 2.0 : 1.0) - counted;
}

/// The engine's own all-reduce, if each member sends all others its whole vector at once.
Seconds LatencyBandwidth::in_one_step(Bytes size, std::int64_t members) const {
    const hardware::CollectiveSpec& own = network_.collective;
    const bool crowded = own.one_step_efficiency > 0.0 && members >= own.one_step_members;
    const BytesPerSecond rate =
        crowded ? network_.scale_up.link.bandwidth * (own.one_step_efficiency * links_.share(members))
                : up(members);
    return own.launch + barrier() + size * static_cast<double>(members - 1) / rate;
}

/// Time in which the members of a domain wait for one another.
Seconds LatencyBandwidth::barrier() const {
    const Seconds measured = network_.collective.barrier;
    return measured > Seconds{} ? measured : network_.scale_up.link.latency * 2.0;
}

Seconds LatencyBandwidth::direct(Bytes size, const Placement& group) const {
    const hardware::CollectiveSpec& own = network_.collective;
    const Seconds two = own.launch + own.two_step_launch + barrier() * 2.0 +
                        size * volume(CollectiveKind::all_reduce, group.inside) / up(group.inside);
    return std::min(in_one_step(size, group.inside), two);
}

Seconds LatencyBandwidth::launch(CollectiveKind kind) const {
    const hardware::CollectiveSpec& library = network_.collective;
    if (kind == CollectiveKind::all_to_all && library.exchange_launch > Seconds{})
        return library.exchange_launch;
    const bool beside_own = kind == CollectiveKind::all_reduce && library.library_launch > Seconds{};
    return beside_own ? library.library_launch : library.launch;
}

LatencyBandwidth::Phase LatencyBandwidth::inside(CollectiveKind kind, Bytes size, const Placement& group,
                                                 const graph::Dispatch& dispatch) const {
    const Seconds latency = network_.scale_up.link.latency;
    // In an all-to-all, only the share for members of the same domain stays inside. If deduplicated, all data
    // for other members passes the links inside, regardless of its origin.
    double share = 1.0;
    const bool sends_once = kind == CollectiveKind::all_to_all && dispatch.choices > 0.0;
    if (kind == CollectiveKind::all_to_all)
        share = sends_once ? graph::sent_share(dispatch, group.members())
                           : 1.0 / static_cast<double>(group.domains);
    Phase phase{latency * steps(kind, group.inside),
                size * (share * volume(kind, group.inside)) / up(group.inside)};
    if (sends_once && dispatch.rate > BytesPerSecond{})
        phase.transfer = std::max(phase.transfer, size * share / dispatch.rate);
    if (reduces_in_switches(kind, group)) {
        const BytesPerSecond rate = network_.scale_up.reduction.rate(network_.scale_up.link);
        phase.latency = std::min(phase.latency, latency * 2.0);
        phase.transfer = std::min(phase.transfer, size / rate);
    }
    return phase;
}

LatencyBandwidth::Phase LatencyBandwidth::across(CollectiveKind kind, Bytes size, const Placement& group,
                                                 const graph::Dispatch& dispatch, bool ring) const {
    const Seconds latency = network_.scale_out.link.latency;
    // The members of a domain share the vector; in an all-to-all, each sends everything that is not for its
    // own domain.
    double share = 1.0 / static_cast<double>(group.inside);
    if (kind == CollectiveKind::all_to_all)
        share = dispatch.choices > 0.0 ? graph::sent_share(dispatch, group.domains) : 1.0;
    const std::int64_t members = ring ? group.members() : group.domains;
    // Of three domains and more, one is inside of one of both trees: it sends up once and down twice.
    const bool in_tree = reduces_in_switches(kind, group) && !ring && group.domains > 2;
    const double sent = in_tree ? 2.0 : volume(kind, members);
    return {latency * steps(kind, group.domains), size * (share * sent) / out_};
}

/// All members send to their next at once, so the slowest link decides: one between domains if the ring
/// leaves its domain.
Seconds LatencyBandwidth::shift(Bytes size, const Placement& group) const {
    const bool leaves = group.domains > 1;
    const Seconds latency = leaves ? network_.scale_out.link.latency : network_.scale_up.link.latency;
    return network_.collective.message_launch + latency + size / (leaves ? out_ : up(2));
}

bool LatencyBandwidth::reduces_in_switches(CollectiveKind kind, const Placement& group) const {
    return kind == CollectiveKind::all_reduce && network_.scale_up.reduction.serves(group.inside);
}

Seconds LatencyBandwidth::message(Bytes size, const StagePairs& pairs) const {
    if (pairs.from == pairs.to || size == Bytes{}) return Seconds{};
    const std::int64_t domain = network_.scale_up.occupied(pairs.mesh->ranks());
    const bool crosses = stages_cross_domains(*pairs.mesh, pairs.from, pairs.to, domain);
    const Seconds latency = crosses ? network_.scale_out.link.latency : network_.scale_up.link.latency;
    return network_.collective.message_launch + latency + size / (crosses ? out_ : up(2));
}

}  // namespace dse::model
