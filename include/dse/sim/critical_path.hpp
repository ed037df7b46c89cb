#pragma once

#include <algorithm>
#include <vector>

#include "dse/sim/dependencies.hpp"
#include "dse/sim/path_parts.hpp"

namespace dse::sim {

/// A link of the chain that an iteration's time consists of: from when this span starts until the next one of
/// the chain does.
struct PathStep {
    SpanRef who;
    double start{0};
    double end{0};
};

/// The longest chain of an iteration: back from the stage that arrives last at the barrier, from each span to
/// the one it waited for, through messages to other stages. No time is left out: the first step starts at 0,
/// each one starts where the one before it ends, and the last one ends at the barrier. A span that overlaps
/// with what waits for it has only its time until then.
/// \param last  stage (sim::Result::last_stage)
/// \param end   when it arrives at the barrier (Timeline::end)
/// \return in the order of time
std::vector<PathStep> critical_path(const Dependencies& dependencies, std::uint32_t last, double end);

/// The same, from its last step to its first. \param visit  called with each PathStep
template <class Visit>
void for_each_step_back(const Dependencies& dependencies, std::uint32_t last, double end, Visit visit) {
    for (SpanRef who = dependencies.end_of(last); !who.is_none(); who = dependencies.last_of(who)) {
        const double start = dependencies.at(who).start;
        visit(PathStep{who, start, end});
        end = start;
    }
}

/// Where a span of a stage's timeline runs.
Place place_of(const Span& span, std::uint32_t stage, const graph::Graph& graph);

/// Whether it is a collective or a message.
bool communicates(const graph::Work& work);

/// What a communication costs its stage's compute stream.
struct Exposure {
    SpanRef who;
    double needed{0};  ///< the stream waits for its result
    double queued{0};  ///< the stream waits for another one, which had to wait for this
    double held{0};    ///< it stands on the stream, or holds it
    [[nodiscard]] double sum() const { return needed + queued + held; }
};

/// What lies between two moments.
struct Window {
    double from{0};
    double until{0};
    [[nodiscard]] double share(double start, double end) const {
        return std::max(0.0, std::min(end, until) - std::max(start, from));
    }
};

/// The collectives and messages of a stage that its compute stream noticed, in the order in which it did. By
/// group they sum to Parts::communication, less the barrier.
std::vector<Exposure> exposures(const Dependencies& dependencies, const graph::Graph& graph,
                                std::uint32_t stage, const Window& window);

}  // namespace dse::sim
