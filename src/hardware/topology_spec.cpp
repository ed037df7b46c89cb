#include "dse/hardware/topology_spec.hpp"

#include <array>
#include <string>
#include <utility>

namespace dse::hardware {

std::span<const std::string_view> choice_names(TopologyKind) {
    static constexpr std::array<std::string_view, 7> names{"automatic", "two_level", "dimensions", "fat_tree",
                                                           "rail",      "dragonfly", "wires"};
    return names;
}

std::span<const std::string_view> choice_names(PathChoice) {
    static constexpr std::array<std::string_view, 4> names{"first", "ecmp", "adaptive", "valiant"};
    return names;
}

std::span<const std::string_view> choice_names(Sharing) {
    static constexpr std::array<std::string_view, 2> names{"collective", "everything"};
    return names;
}

std::span<const std::string_view> choice_names(CrossRail) {
    static constexpr std::array<std::string_view, 2> names{"spine", "relay"};
    return names;
}

std::span<const std::string_view> choice_names(Placement) {
    static constexpr std::array<std::string_view, 2> names{"packed", "interleaved"};
    return names;
}

Problems problems_of(const TopologySpec& topology) {
    Problems problems;
    const auto at_least = [&](const char* key, std::int64_t value, double least, const char* why) {
        problems.at_least(key, static_cast<double>(value), least, why);
    };
    problems.not_negative("switch_latency", topology.switch_latency, "time does not run backwards");
    at_least("path_seed", topology.path_seed, 0, "a seed is a whole number");
    constexpr std::int64_t most_jobs = 1000;
    problems.expect(topology.jobs >= 1 && topology.jobs <= most_jobs, "jobs",
                    "this one is among them (1 to 1000)");
    at_least("leaf_devices", topology.leaf_devices, 1, "a leaf switch serves devices");
    at_least("pod_leaves", topology.pod_leaves, 0, "0: no pods");
    problems.at_least("core_oversubscription", topology.core_oversubscription, 1,
                      "bandwidth into a pod's spines over bandwidth to the core");
    at_least("router_devices", topology.router_devices, 1, "a router serves devices");
    at_least("group_routers", topology.group_routers, 1, "a group consists of routers");
    at_least("router_globals", topology.router_globals, 1, "a router has links to other groups");
    at_least("twist", topology.twist, 0, "0: a plain torus");
    problems.expect(topology.kind == TopologyKind::wires || topology.wires.empty(), "wires",
                    "nothing reads them (set kind: wires)");
    problems.expect(topology.kind != TopologyKind::wires || !topology.wires.empty(), "kind",
                    "there are no wires (list them, or choose another kind)");
    problems.expect(topology.paths != PathChoice::valiant || topology.kind == TopologyKind::dragonfly,
                    "paths", "valiant is for dragonfly");
    problems.expect(topology.collectives != Algorithm::double_binary_tree, "collectives",
                    "flows have no trees (choose ring, direct or halving_doubling)");
    problems.nest("wires", problems_of(topology.wires));
    for (std::size_t i = 0; i < topology.degraded.size(); ++i) {
        problems.nest("degraded." + std::to_string(i), problems_of(topology.degraded[i]));
    }
    return problems;
}

}  // namespace dse::hardware
