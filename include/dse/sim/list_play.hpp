#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/timeline.hpp"

namespace dse::sim {

/// Simulates every node of the given stages individually, in issue order. The results are bitwise those of
/// the folded engine's operators, with the start and end of each node (docs/theory/folding.md). One rank
/// represents its stage.
/// \param graph      valid
/// \param durations  valid for the graph
/// \return one timeline per stage, in the order of `stages`
/// \throws ModelError as Engine::play
std::vector<Timeline> list_play(const graph::Graph& graph, const Durations& durations,
                                const std::vector<std::uint32_t>& stages);

}  // namespace dse::sim
