#include "dse/hardware/network/topology_spec.hpp"

#include <string>
#include <utility>

namespace dse::hardware {

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
