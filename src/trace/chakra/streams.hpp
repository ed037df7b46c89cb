#pragma once

#include "dse/graph/graph.hpp"

namespace dse::trace::chakra {

/// Streams of a trace in addition to the graph's own: two per lane of messages between stages, and one for
/// the barrier.
inline graph::StreamId send_stream(const graph::Graph& graph, std::uint32_t lane) {
    return graph::StreamId{graph.streams.size() + 2 * std::size_t{lane}};
}
inline graph::StreamId receive_stream(const graph::Graph& graph, std::uint32_t lane) {
    return graph::StreamId{graph.streams.size() + 2 * std::size_t{lane} + 1};
}
inline graph::StreamId barrier_stream(const graph::Graph& graph) {
    return send_stream(graph, lanes_of(graph.schedule));
}
inline std::size_t extra_streams(const graph::Graph& graph) {
    return 2 * std::size_t{lanes_of(graph.schedule)} + 1;
}

}  // namespace dse::trace::chakra
