#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// Which dependencies count. Traces of older converters have a node's parent among its control dependencies,
/// which ends after it: a cycle where both count.
enum class Waits : std::uint8_t { for_all, for_data };
std::span<const NodeIndex> dependencies(const Trace& trace, NodeIndex node, Waits waits);

/// A cycle of dependencies: each node waits for the next one, and the last for the first. Empty where there
/// is none.
std::vector<NodeIndex> find_cycle(const Trace& trace, Waits waits = Waits::for_all);

/// All nodes, each behind what it waits for; among those that could be next, the first of the file.
/// \return nothing where dependencies are a cycle
std::optional<std::vector<NodeIndex>> dependency_order(const Trace& trace, Waits waits = Waits::for_all);

/// The chain of dependencies that takes longest where nothing else holds a node up.
struct CriticalPath {
    std::vector<NodeIndex> nodes;  ///< first to last
    std::uint64_t length{0};       ///< microseconds, or nodes
};

enum class NodeCost : std::uint8_t {
    duration,  ///< what was recorded, in microseconds
    one
};

/// \param order  dependency_order of the trace and of these dependencies
CriticalPath critical_path(const Trace& trace, std::span<const NodeIndex> order, NodeCost cost,
                           Waits waits = Waits::for_all);

/// Where a node runs, one after the other: a thread of the host or a stream of the device.
struct Lane {
    enum class Place : std::uint8_t { host, device };
    Place place{Place::device};
    std::optional<std::int32_t> number;  ///< of the thread or stream; nothing where the trace does not say

    friend auto operator<=>(const Lane&, const Lane&) = default;
};

/// The lane of a node: its `stream`; else its `tid`, which older converters use for both.
Lane lane_of(const TraceStep& step);

/// By lane, its nodes in the order in which they run: by their start where it is recorded, else by their ids.
/// Metadata is not among them.
struct LaneNodes {
    Lane lane;
    std::vector<NodeIndex> nodes;
};
std::vector<LaneNodes> nodes_by_lane(const Trace& trace);

}  // namespace dse::trace::chakra
