#pragma once

#include <functional>
#include <span>

#include "eval/serve/server_state.hpp"
#include "eval/serve/trace_shelf.hpp"

namespace dse::eval {

/// State that is kept between points.
struct Servers {
    ServerState whole{0};    ///< for a single pool
    ServerState prefill{1};  ///< for separate pools
    ServerState decode{2};   ///< for separate pools

    void forget() {
        for (ServerState* each : {&whole, &prefill, &decode}) each->forget();
    }
};

/// The input of mode serving.
struct ServeJob {
    const study::Scenario& scenario;
    std::span<const double> system_key;  ///< equal keys imply equal system and fidelity
    WhenFull when_full;
    sim::Asked::For asked;  ///< what the result of the mean step includes
    Stages& stages;
    TraceShelf& traces;
    Servers& servers;
    std::function<void()> checkpoint;
};

/// Evaluates mode serving: the scenario's replicas, or its two pools, process its requests step by step. The
/// evaluation's graph and result are those of a decode step with the mean batch at its mean context.
/// \throws ModelError if there are no requests, or none can be served
void answer_requests(const ServeJob& job, Evaluation& evaluation);

}  // namespace dse::eval
