#pragma once

#include <functional>

#include "eval/serve/step_table.hpp"
#include "eval/serve/trace_shelf.hpp"

namespace dse::eval {

/// What mode serving works on.
struct ServeJob {
    const study::Scenario& scenario;
    const Machine& machine;
    WhenFull when_full;
    Stages& stages;
    TraceShelf& traces;
    StepTable& steps;
    std::function<void()> checkpoint;
};

/// Mode serving: the scenario's requests are answered by its replicas, step by step. The evaluation's graph
/// and result are those of a decode step of the mean batch at its mean context.
/// \throws ModelError where there is nothing to answer, or nobody who could
void answer_requests(const ServeJob& job, Evaluation& evaluation);

}  // namespace dse::eval
