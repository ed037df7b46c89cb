#pragma once

#include <cstdint>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"
#include "dse/config/described_once.hpp"
#include "dse/hardware/network/dimension_spec.hpp"
#include "dse/hardware/network/wire_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// How the devices of a network are connected, link by link. Bandwidths and latencies of the levels come from
/// scale_up and scale_out; the devices of a domain are connected by a switch of their own.
enum class TopologyKind : std::uint8_t {
    automatic,   ///< `dimensions` if the network has any, else two_level
    two_level,   ///< one switch connects all domains
    dimensions,  ///< rings, meshes, tori, switches, full connections as listed in `dimensions`
    fat_tree,    ///< leaf switches and spines, or pods of them and a core
    rail,        ///< rail-optimized: the n-th devices of all domains share leaf switches
    dragonfly,   ///< groups of routers, fully connected within and between groups
    wires,       ///< the links listed in `wires`
};
DSE_CHOICES(TopologyKind, automatic, two_level, dimensions, fat_tree, rail, dragonfly, wires);

/// Which of several paths a message takes.
enum class PathChoice : std::uint8_t {
    first,     ///< the cheapest path whose links come first; always the same one
    ecmp,      ///< one of the cheapest paths, chosen by a hash of the two ends
    adaptive,  ///< the least loaded of the cheapest links at each hop, when the message starts
    valiant,   ///< dragonfly: through a router of another group, chosen by a hash of the two ends
};
DSE_CHOICES(PathChoice, first, ecmp, adaptive, valiant);

/// Which communication shares the links.
enum class Sharing : std::uint8_t {
    collective,  ///< the groups of one collective, which run concurrently; no other traffic is considered
    everything,  ///< all concurrent traffic; engine `event` only
};
DSE_CHOICES(Sharing, collective, everything);

/// How a message reaches another rail.
enum class CrossRail : std::uint8_t {
    spine,  ///< across the spine
    relay,  ///< through the sending domain's device on that rail (PXN in NCCL)
};
DSE_CHOICES(CrossRail, spine, relay);

/// How several jobs are placed on one machine.
enum class Placement : std::uint8_t {
    packed,       ///< one after the other
    interleaved,  ///< their scale-up domains alternate
};
DSE_CHOICES(Placement, packed, interleaved);

/// Parameters of network model `flow`.
struct TopologySpec {
    TopologyKind kind{TopologyKind::automatic};
    PathChoice paths{PathChoice::first};
    std::int64_t path_seed{0};  ///< seed of the hash
    Algorithm collectives{Algorithm::automatic};
    Sharing sharing{Sharing::collective};
    /// Number of equal jobs that run in step on the machine, this one included.
    std::int64_t jobs{1};
    Placement placement{Placement::packed};
    /// Latency of a link between two switches.
    Seconds switch_latency;
    // fat_tree, rail
    std::int64_t leaf_devices{32};  ///< devices per leaf switch
    std::int64_t pod_leaves{0};     ///< leaf switches per pod; 0: no pods, every leaf connects to every spine
    double core_oversubscription{1.0};
    CrossRail cross_rail{CrossRail::spine};
    // dragonfly
    std::int64_t router_devices{4};  ///< p: devices per router
    std::int64_t group_routers{8};   ///< a: routers per group
    std::int64_t router_globals{4};  ///< h: links of a router to other groups
    /// dimensions: shift of the wrap-around links along the outermost dimension, in devices; 0: a plain
    /// torus.
    std::int64_t twist{0};
    std::vector<WireSpec> wires;
    std::vector<DegradedSpec> degraded;
};

Problems problems_of(const TopologySpec& topology);

template <class Visitor>
void describe(Visitor& v, TopologySpec& topology) {
    v.optional("kind", topology.kind, "how devices and switches are connected");
    v.optional("paths", topology.paths, "which of several paths a message takes");
    v.optional("path_seed", topology.path_seed, config::not_negative, "seed of the hash that chooses paths");
    v.optional("collectives", topology.collectives,
               "algorithm of collectives, unless a dimension sets its own");
    v.optional("sharing", topology.sharing,
               "traffic that shares links: the groups of one collective, or everything");
    v.optional("jobs", topology.jobs, config::between(1, 1000),
               "number of equal jobs that run in step on the machine, this one included");
    v.optional("placement", topology.placement, "packed, or interleaved: the jobs' domains alternate");
    v.optional("switch_latency", topology.switch_latency, config::not_negative,
               "latency of a link between two switches");
    v.optional("leaf_devices", topology.leaf_devices, config::at_least(1),
               "fat_tree, rail: devices per leaf switch");
    v.optional("pod_leaves", topology.pod_leaves, config::not_negative,
               "fat_tree: leaf switches per pod; 0: no pods");
    v.optional("core_oversubscription", topology.core_oversubscription, config::at_least(1),
               "fat_tree with pods: bandwidth into a pod's spines divided by bandwidth to the core");
    v.optional("cross_rail", topology.cross_rail, "rail: how a message reaches another rail");
    v.optional("router_devices", topology.router_devices, config::at_least(1),
               "dragonfly: devices per router");
    v.optional("group_routers", topology.group_routers, config::at_least(1), "dragonfly: routers per group");
    v.optional("router_globals", topology.router_globals, config::at_least(1),
               "dragonfly: links of a router to other groups");
    v.optional("twist", topology.twist, config::not_negative,
               "dimensions: shift of the wrap-around links; 0: a plain torus");
    v.records("wires", topology.wires, "kind wires: the links, singly or as ranges");
    v.records("degraded", topology.degraded, "links with reduced bandwidth");
    check_after_reading(v, topology);
}
DSE_DESCRIBED_ONCE(TopologySpec);

}  // namespace dse::hardware
