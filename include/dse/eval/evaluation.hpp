#pragma once

#include <optional>

#include "dse/eval/shortage.hpp"
#include "dse/graph/graph.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/engine.hpp"
#include "dse/sim/memory_peak.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// What a scenario's answer was made from and what came out, stage by stage. Where a stage threw, what it and
/// those after it fill is not there. Pointers are valid until the next evaluation.
struct Evaluation {
    const study::Scenario* scenario{nullptr};
    const graph::Graph* graph{nullptr};  ///< build; from cost on as it is played
    sim::MemoryPeak memory;              ///< fit
    /// Fit: where the scenario does not fit and is refused. Then there are no durations, no result, no
    /// metrics.
    std::optional<Shortage> shortage;
    const sim::Durations* durations{nullptr};  ///< cost
    sim::Result result;                        ///< play
    metrics::Metrics metrics;                  ///< measure
};

/// Whether a scenario that does not fit is evaluated all the same: for explanations.
enum class WhenFull { refuse, simulate };

}  // namespace dse::eval
