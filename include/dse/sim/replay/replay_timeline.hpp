#pragma once

#include <span>
#include <string>
#include <vector>

#include "dse/sim/replay/node_span.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// A job that was replayed.
struct ReplayedJob {
    std::string name;  ///< precedes its ranks; empty for a single job
    std::span<const trace::chakra::RankTrace> ranks;
    std::vector<NodeSpan> spans;  ///< of the ranks that are shown, in any order
};

/// The nodes of replayed jobs as a trace for Perfetto or Chrome's about:tracing: one process per rank; one
/// thread per stream or, for nodes without one, per kind of work, communicator and destination (several where
/// nodes overlap); complete events in microseconds; an arrow from the sender to the receiver of each message
/// if both ranks are shown. Events say how long they waited for others.
/// \return the whole JSON text
/// Source: "Trace Event Format", Google.
std::string to_chrome_trace(std::span<const ReplayedJob> jobs);

}  // namespace dse::sim::replay
