#pragma once

#include <span>
#include <vector>

#include "dse/trace/chakra/trace_graph.hpp"

namespace dse::trace::chakra {

struct UnorderedPair {
    NodeIndex first;
    NodeIndex second;
};

/// Neighbours on a lane of which the later one waits for the earlier one neither itself nor through others.
/// Lanes without a number are left out, and so are all where there are more than 256.
/// \param order  dependency_order of the trace and of these dependencies
/// \param lanes  nodes_by_lane of the trace
std::vector<UnorderedPair> unordered_neighbours(const Trace& trace, std::span<const NodeIndex> order,
                                                std::span<const LaneNodes> lanes, Waits waits);

}  // namespace dse::trace::chakra
