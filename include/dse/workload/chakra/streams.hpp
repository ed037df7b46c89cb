#pragma once

#include "dse/workload/graph.hpp"

namespace dse::workload::chakra {

/// Streams that a trace has beside the graph's own: two for each lane of messages between stages.
inline StreamId send_stream(const Graph& graph, std::uint32_t lane) {
    return StreamId{graph.streams.size() + 2 * std::size_t{lane}};
}
inline StreamId receive_stream(const Graph& graph, std::uint32_t lane) {
    return StreamId{graph.streams.size() + 2 * std::size_t{lane} + 1};
}
inline StreamId barrier_stream(const Graph& graph) {
    return send_stream(graph, lanes_of(graph.schedule));
}
inline std::size_t extra_streams(const Graph& graph) {
    return 2 * std::size_t{lanes_of(graph.schedule)} + 1;
}

}  // namespace dse::workload::chakra
