#pragma once

#include <optional>
#include <vector>

#include "dse/eval/shortage.hpp"
#include "dse/graph/graph.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/serving/answered_request.hpp"
#include "dse/serving/class_meter.hpp"
#include "dse/serving/time_series.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/engine.hpp"
#include "dse/sim/memory_peak.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Inputs and results of the stages of an evaluation. If a stage threw, the fields that it and the later
/// stages fill in are not set. Pointers are valid until the next evaluation.
struct Evaluation {
    const study::Scenario* scenario{nullptr};
    const graph::Graph* graph{nullptr};  ///< set by build; after cost, the graph that is simulated
    sim::MemoryPeak memory;              ///< set by fit
    /// Set by fit if the scenario does not fit and is refused. Then there are no durations, result and
    /// metrics.
    std::optional<Shortage> shortage;
    const sim::Durations* durations{nullptr};  ///< set by cost
    sim::Result result;                        ///< set by play
    metrics::Metrics metrics;                  ///< set by measure
    /// Mode serving, if parts are asked for: the course of the run.
    std::vector<serving::TimeSeries::Interval> series;
    /// Likewise: the requests by arrival; none if there are more than serving::Recorder::most_kept.
    std::vector<serving::AnsweredRequest> requests;
    std::vector<serving::ClassOutcome> classes;  ///< mode serving: by class of the traffic, if it has any
    std::vector<double> class_values;            ///< likewise: of graph::class_columns
};

/// Whether a scenario that does not fit into memory is refused or simulated anyway, as explanations need.
enum class WhenFull { refuse, simulate };

}  // namespace dse::eval
