#include "dse/hardware/network/topology_spec.hpp"

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
    Problems problems = out_of_range(topology);
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
