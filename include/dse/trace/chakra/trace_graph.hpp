#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// Which dependencies count. In traces of older converters, control dependencies include a node's parent,
/// which ends after the node: counting both kinds gives a cycle.
enum class Waits : std::uint8_t { for_all, for_data };
std::span<const NodeIndex> dependencies(const Trace& trace, NodeIndex node, Waits waits);

/// A cycle of dependencies: each node waits for the next one, and the last for the first. Empty if there is
/// none.
std::vector<NodeIndex> find_cycle(const Trace& trace, Waits waits = Waits::for_all);

/// All nodes in topological order; ties are broken by file order.
/// \return nothing if the dependencies have a cycle
std::optional<std::vector<NodeIndex>> dependency_order(const Trace& trace, Waits waits = Waits::for_all);

/// The longest chain of dependencies.
struct CriticalPath {
    std::vector<NodeIndex> nodes;  ///< first to last
    std::uint64_t length{0};       ///< in microseconds, or number of nodes
};

enum class NodeCost : std::uint8_t {
    duration,  ///< the recorded duration, in microseconds
    one
};

/// \param order  dependency_order of the trace with the same `waits`
CriticalPath critical_path(const Trace& trace, std::span<const NodeIndex> order, NodeCost cost,
                           Waits waits = Waits::for_all);

/// Where nodes run one at a time: a thread of the host or a stream of the device.
struct Lane {
    enum class Place : std::uint8_t { host, device };
    Place place{Place::device};
    std::optional<std::int32_t> number;  ///< of the thread or stream; empty if the trace does not state it

    friend auto operator<=>(const Lane&, const Lane&) = default;
};

/// The lane of a node: its `stream`, else its `tid`, which older converters use for both.
Lane lane_of(const TraceStep& step);

/// The nodes of a lane in execution order: by start time if it is recorded, else by id. Metadata nodes are
/// excluded.
struct LaneNodes {
    Lane lane;
    std::vector<NodeIndex> nodes;
};
std::vector<LaneNodes> nodes_by_lane(const Trace& trace);

}  // namespace dse::trace::chakra
