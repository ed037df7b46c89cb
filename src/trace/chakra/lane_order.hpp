#pragma once

#include <span>
#include <vector>

#include "dse/trace/chakra/trace_graph.hpp"

namespace dse::trace::chakra {

struct UnorderedPair {
    NodeIndex first;
    NodeIndex second;
};

/// Neighbours on a lane whose later node does not depend on the earlier one, directly or indirectly. Lanes
/// without a number are skipped; if there are more than 256 lanes, all are. So are the two ends of an
/// exchange, a send and the receive behind it with the same tag and size.
/// \param order  dependency_order of the trace with the same `waits`
/// \param lanes  nodes_by_lane of the trace
std::vector<UnorderedPair> unordered_neighbours(const Trace& trace, std::span<const NodeIndex> order,
                                                std::span<const LaneNodes> lanes, Waits waits);

}  // namespace dse::trace::chakra
