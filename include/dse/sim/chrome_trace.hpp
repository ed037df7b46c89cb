#pragma once

#include <span>
#include <string>
#include <vector>

#include "dse/sim/critical_path.hpp"
#include "dse/sim/timeline.hpp"
#include "dse/sim/track.hpp"

namespace dse::sim {

/// Something that led to something else.
struct Arrow {
    enum class Kind : std::uint8_t { message, critical_path };
    SpanRef from;
    SpanRef to;
    Kind kind{Kind::message};
};

/// What a trace shows beside its timelines.
struct TraceMarks {
    std::vector<Arrow> arrows;
    std::vector<PathStep> path;  ///< its spans are marked
    std::vector<Track> tracks;
    double unit{1.0};  ///< seconds for 1 of all times
};

/// Arrows from every message's sender to its receiver, and along the path wherever it changes its stream.
std::vector<Arrow> arrows_of(const Dependencies& dependencies, std::span<const Timeline> timelines,
                             const std::vector<PathStep>& path);

/// Timelines as a trace for Perfetto or Chrome's about:tracing: one process a stage; one thread a stream, and
/// one of the schedule's tasks; complete events in microseconds; arrows as flows, tracks as counters.
/// \param timelines  of the stages that are shown, in any order
/// \return the whole JSON text
/// Source: "Trace Event Format", Google.
std::string to_chrome_trace(std::span<const Timeline> timelines, const graph::Graph& graph,
                            const TraceMarks& marks = {});

}  // namespace dse::sim
