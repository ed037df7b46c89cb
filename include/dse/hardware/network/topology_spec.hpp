#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/hardware/network/dimension_spec.hpp"
#include "dse/hardware/network/wire_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// How the devices of a network are wired, link by link. The levels' bandwidths and latencies stand in
/// scale_up and scale_out; where a domain has several devices they are joined by a switch of their own.
enum class TopologyKind : std::uint8_t {
    automatic,   ///< dimensions where the network names any, else two_level
    two_level,   ///< one switch joins all domains
    dimensions,  ///< what `dimensions` says: rings, meshes, tori, switches, full connections
    fat_tree,    ///< leaf switches and spines, or pods of them and a core
    rail,        ///< the n-th devices of all domains share leaf switches: rail-optimised
    dragonfly,   ///< groups of routers, all joined inside and among each other
    wires,       ///< what `wires` says
};
std::span<const std::string_view> choice_names(TopologyKind);

/// Which of several ways a message takes.
enum class PathChoice : std::uint8_t {
    first,     ///< of the cheapest ones that whose links come first: always the same
    ecmp,      ///< of the cheapest ones by a hash of the two ends
    adaptive,  ///< link by link the least loaded of the cheapest ones, when the message begins
    valiant,   ///< of a dragonfly: over a router of another group, by a hash of the two ends
};
std::span<const std::string_view> choice_names(PathChoice);

/// Who shares links.
enum class Sharing : std::uint8_t {
    collective,  ///< the groups of one collective, which run at once; nothing else is going on
    everything,  ///< all that is going on; engine `event` alone plays this
};
std::span<const std::string_view> choice_names(Sharing);

/// How a message gets to another rail.
enum class CrossRail : std::uint8_t {
    spine,  ///< over the spine
    relay,  ///< through the device of its own domain that is on that rail (NCCL calls it PXN)
};
std::span<const std::string_view> choice_names(CrossRail);

/// Where several jobs lie on one machine.
enum class Placement : std::uint8_t {
    packed,       ///< one behind the other
    interleaved,  ///< their scale-up domains take turns
};
std::span<const std::string_view> choice_names(Placement);

/// What only the network model `flow` reads.
struct TopologySpec {
    TopologyKind kind{TopologyKind::automatic};
    PathChoice paths{PathChoice::first};
    std::int64_t path_seed{0};  ///< of the hash
    Algorithm collectives{Algorithm::automatic};
    Sharing sharing{Sharing::collective};
    /// Equal jobs in step on the one machine, this one among them.
    std::int64_t jobs{1};
    Placement placement{Placement::packed};
    /// Of a link between two switches.
    Seconds switch_latency;
    // fat_tree, rail
    std::int64_t leaf_devices{32};  ///< devices that a leaf switch serves
    std::int64_t pod_leaves{0};     ///< leaves of a pod; 0: no pods, every leaf sees every spine
    double core_oversubscription{1.0};
    CrossRail cross_rail{CrossRail::spine};
    // dragonfly
    std::int64_t router_devices{4};  ///< p
    std::int64_t group_routers{8};   ///< a
    std::int64_t router_globals{4};  ///< h: links of a router to other groups
    /// dimensions: devices of the outermost one by which the others' wrap-around links are shifted; 0: a
    /// plain torus.
    std::int64_t twist{0};
    std::vector<WireSpec> wires;
    std::vector<DegradedSpec> degraded;
};

Problems problems_of(const TopologySpec& topology);

template <class Visitor>
void describe(Visitor& v, TopologySpec& topology) {
    v.optional("kind", topology.kind, "how devices and switches are wired");
    v.optional("paths", topology.paths, "which of several ways a message takes");
    v.optional("path_seed", topology.path_seed, config::not_negative, "of the hash that chooses paths");
    v.optional("collectives", topology.collectives, "how collectives run, where no dimension says it");
    v.optional("sharing", topology.sharing, "who shares links: one collective's groups, or everything");
    v.optional("jobs", topology.jobs, config::between(1, 1000),
               "equal jobs in step on one machine, this one among them");
    v.optional("placement", topology.placement, "packed, or interleaved: the jobs' domains take turns");
    v.optional("switch_latency", topology.switch_latency, config::not_negative,
               "of a link between two switches");
    v.optional("leaf_devices", topology.leaf_devices, config::at_least(1),
               "fat_tree, rail: devices that a leaf switch serves");
    v.optional("pod_leaves", topology.pod_leaves, config::not_negative,
               "fat_tree: leaf switches of a pod; 0: no pods");
    v.optional("core_oversubscription", topology.core_oversubscription, config::at_least(1),
               "fat_tree with pods: bandwidth into a pod's spines over bandwidth to the core");
    v.optional("cross_rail", topology.cross_rail, "rail: how a message gets to another rail");
    v.optional("router_devices", topology.router_devices, config::at_least(1),
               "dragonfly: devices of a router");
    v.optional("group_routers", topology.group_routers, config::at_least(1), "dragonfly: routers of a group");
    v.optional("router_globals", topology.router_globals, config::at_least(1),
               "dragonfly: links of a router to other groups");
    v.optional("twist", topology.twist, config::not_negative,
               "dimensions: shift of the wrap-around links; 0: a plain torus");
    v.records("wires", topology.wires, "kind wires: the links, one by one or range by range");
    v.records("degraded", topology.degraded, "links with less bandwidth than they should have");
    check_after_reading(v, topology);
}

}  // namespace dse::hardware
