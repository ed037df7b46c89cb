#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/timeline.hpp"

namespace dse::sim {

/// Plays every node of the given stages once, in issue order: bitwise what the folded engine's operators say,
/// with each node's start and end (docs/theory/folding.md). One rank stands for its stage. \param graph valid
/// \param durations  valid for the graph \return one timeline a stage, in the order of `stages` \throws
/// ModelError as Engine::play
std::vector<Timeline> list_play(const graph::Graph& graph, const Durations& durations,
                                const std::vector<std::uint32_t>& stages);

}  // namespace dse::sim
