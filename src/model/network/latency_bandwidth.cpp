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
    const Seconds library = by_library({kind, size, group, dispatch});
    const bool has_own = kind == CollectiveKind::all_reduce && network_.collective.library_launch > Seconds{};
    if (!has_own || group.domains > 1) return library;
    const Bytes limit = network_.collective.one_step_limit;
    if (limit == Bytes{} || group.inside == 2) return std::min(library, direct(size, group));
    return size <= limit ? in_one_step(size, group.inside) : library;
}

Seconds LatencyBandwidth::by_library(const Exchange& exchange) const {
    if (!takes_rings(exchange)) return along(Way::levels, exchange);
    const Seconds ringed = along(Way::rings, exchange);
    // Trees, which only add, need several NICs, each of which passes a part of the vector.
    const bool has_trees = exchange.kind == CollectiveKind::all_reduce && network_.nccl.nics != 1;
    return has_trees ? std::min(ringed, along(Way::levels, exchange)) : ringed;
}

Seconds LatencyBandwidth::along(Way way, const Exchange& exchange) const {
    const Phase up = inside(exchange);
    const Phase out = across(way, exchange);
    const Seconds longer = std::max(up.transfer, out.transfer);
    const Seconds shorter = std::min(up.transfer, out.transfer);
    // Both levels of a ring pass on at once what they get, as do switches that reduce and the tree across.
    const bool at_once = way == Way::rings || reduces_in_switches(exchange.kind, exchange.group);
    const Seconds transfer = longer + shorter * (1.0 - (at_once ? 1.0 : network_.collective.phase_overlap));
    const Seconds counted = up.latency + out.latency;
    // The further steps of a ring delay each byte alike, so that they are added.
    return Seconds{blend_((launch(exchange.kind) + counted).value(), transfer.value())} +
           (way == Way::rings ? ring_delay(exchange, counted) : Seconds{});
}

/// Whether the library has rings of all members (one for each NIC) for this. A ring enters and leaves each
/// domain once: its NICs pass what every other member has, also what its own members could give each other.
bool LatencyBandwidth::takes_rings(const Exchange& exchange) const {
    const bool adds = exchange.kind == CollectiveKind::all_reduce;
    if (exchange.group.domains == 1 || !(adds || gathers(exchange.kind))) return false;
    if (network_.nccl.nics == 1) return true;
    return gathers_along_rings() && !reduces_in_switches(exchange.kind, exchange.group);
}

bool LatencyBandwidth::gathers_along_rings() const {
    return network_.collective.gathering == hardware::Gathering::ring;
}

/// A ring has at least as many steps as distances double, at either level. Short all-reduces over single NICs
/// have those of a tree.
Seconds LatencyBandwidth::ring_delay(const Exchange& exchange, Seconds counted) const {
    const Placement& group = exchange.group;
    const bool adds = exchange.kind == CollectiveKind::all_reduce;
    if (!gathers_along_rings() || (adds && network_.nccl.nics == 1)) return Seconds{};
    const auto crossings = static_cast<double>(group.domains - 1);
    const auto others = static_cast<double>(group.members() - group.domains);
    const Seconds once =
        network_.scale_up.link.latency * others + network_.scale_out.link.latency * crossings;
    return once * (adds ? 2.0 : 1.0) - counted;
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

LatencyBandwidth::Phase LatencyBandwidth::inside(const Exchange& exchange) const {
    const auto& [kind, size, group, dispatch] = exchange;
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

LatencyBandwidth::Phase LatencyBandwidth::across(Way way, const Exchange& exchange) const {
    const auto& [kind, size, group, dispatch] = exchange;
    const Seconds latency = network_.scale_out.link.latency;
    // The members of a domain share the vector; in an all-to-all, each sends everything that is not for its
    // own domain.
    double share = 1.0 / static_cast<double>(group.inside);
    if (kind == CollectiveKind::all_to_all)
        share = dispatch.choices > 0.0 ? graph::sent_share(dispatch, group.domains) : 1.0;
    double sent = volume(kind, way == Way::rings ? group.members() : group.domains);
    // Of three domains and more, one is inside of one of both trees: it sends up once and down twice.
    const bool in_trees = way == Way::levels && reduces_in_switches(kind, group);
    if (in_trees && group.domains > 2) sent = 2.0;
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
