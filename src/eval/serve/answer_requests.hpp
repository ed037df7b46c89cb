#pragma once

#include <functional>
#include <span>

#include "eval/serve/server_state.hpp"
#include "eval/serve/trace_shelf.hpp"

namespace dse::eval {

/// What is kept from point to point.
struct Servers {
    ServerState whole{0};    ///< of one pool
    ServerState prefill{1};  ///< of pools apart
    ServerState decode{2};

    void forget() {
        for (ServerState* each : {&whole, &prefill, &decode}) each->forget();
    }
};

/// What mode serving works on.
struct ServeJob {
    const study::Scenario& scenario;
    std::span<const double> system_key;  ///< equal keys, equal system and fidelity
    WhenFull when_full;
    sim::Asked::For asked;  ///< of the mean step
    Stages& stages;
    TraceShelf& traces;
    Servers& servers;
    std::function<void()> checkpoint;
};

/// Mode serving: the scenario's requests are answered by its replicas, or by its two pools, step by step. The
/// evaluation's graph and result are those of a decode step of the mean batch at its mean context.
/// \throws ModelError where there is nothing to answer, or nobody who could
void answer_requests(const ServeJob& job, Evaluation& evaluation);

}  // namespace dse::eval
