#pragma once

#include "dse/workload/graph.hpp"

namespace dse::workload::chakra {

/// Streams that a trace has beside the graph's own.
inline StreamId send_stream(const Graph& graph) {
    return StreamId{graph.streams.size()};
}
inline StreamId receive_stream(const Graph& graph) {
    return StreamId{graph.streams.size() + 1};
}
inline StreamId barrier_stream(const Graph& graph) {
    return StreamId{graph.streams.size() + 2};
}
inline constexpr std::size_t extra_streams = 3;

}  // namespace dse::workload::chakra
