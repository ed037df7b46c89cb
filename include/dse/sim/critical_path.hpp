#pragma once

#include <algorithm>
#include <vector>

#include "dse/sim/dependencies.hpp"
#include "dse/sim/path_parts.hpp"

namespace dse::sim {

/// One step of the critical path: from the start of this span to the start of the next one on the path.
struct PathStep {
    SpanRef who;
    double start{0};
    double end{0};
};

/// The critical path of an iteration: backwards from the stage that arrives last at the barrier, from each
/// span to the one it waited for, across messages to other stages. It has no gaps: the first step starts at
/// 0, each step starts where the previous one ends, and the last one ends at the barrier. A span that
/// overlaps with its successor counts only up to the start of that.
/// \param last  stage (sim::Result::last_stage)
/// \param end  time at which it arrives at the barrier (Timeline::end)
/// \return the steps in chronological order
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

/// Where in the program a span of a stage's timeline belongs.
Place place_of(const Span& span, std::uint32_t stage, const graph::Graph& graph);

/// Whether it is a collective or a message.
bool communicates(const graph::Work& work);

/// Cost of a communication for the compute stream of its stage.
struct Exposure {
    SpanRef who;
    double needed{0};  ///< the stream waits for its result
    double queued{0};  ///< the stream waits for another communication, which had to wait for this one
    double held{0};    ///< it runs on the stream, or blocks it
    [[nodiscard]] double sum() const { return needed + queued + held; }
};

/// An interval of time.
struct Window {
    double from{0};
    double until{0};
    [[nodiscard]] double share(double start, double end) const {
        return std::max(0.0, std::min(end, until) - std::max(start, from));
    }
};

/// The collectives and messages of a stage that delayed its compute stream, in chronological order. By group
/// they sum to Parts::communication without the barrier.
std::vector<Exposure> exposures(const Dependencies& dependencies, const graph::Graph& graph,
                                std::uint32_t stage, const Window& window);

}  // namespace dse::sim
