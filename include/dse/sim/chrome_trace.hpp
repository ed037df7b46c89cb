#pragma once

#include <span>
#include <string>
#include <vector>

#include "dse/sim/critical_path.hpp"
#include "dse/sim/timeline.hpp"
#include "dse/sim/track.hpp"

namespace dse::sim {

/// A dependency between two spans, shown by a trace.
struct Arrow {
    enum class Kind : std::uint8_t { message, critical_path };
    SpanRef from;
    SpanRef to;
    Kind kind{Kind::message};
};

/// What a trace shows in addition to its timelines.
struct TraceMarks {
    std::vector<Arrow> arrows;
    std::vector<PathStep> path;  ///< the critical path, whose spans are marked
    std::vector<Track> tracks;
    double unit{1.0};  ///< seconds per unit of all times
};

/// Arrows from the sender to the receiver of each message, and along the path wherever it changes streams.
std::vector<Arrow> arrows_of(const Dependencies& dependencies, std::span<const Timeline> timelines,
                             const std::vector<PathStep>& path);

/// Timelines as a trace for Perfetto or Chrome's about:tracing: one process per stage; one thread per stream,
/// and one for the schedule's tasks; complete events in microseconds; arrows as flows, tracks as counters.
/// \param timelines  of the stages that are shown, in any order
/// \return the whole JSON text
/// Source: "Trace Event Format", Google.
std::string to_chrome_trace(std::span<const Timeline> timelines, const graph::Graph& graph,
                            const TraceMarks& marks = {});

}  // namespace dse::sim
