#include "dse/serving/deployment.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::serving {
namespace {

void require_consistent(const graph::ServingEngine& engine) {
    if (engine.max_sequences > engine.token_budget)
        throw ModelError(
            fmt::format("max_sequences {} is more than token_budget {}: a step has a token for "
                        "each sequence",
                        engine.max_sequences, engine.token_budget));
}

/// With the names of their pieces. \returns how many were taken out
std::int64_t take_out_unfit(const ReplicaLimits& limits, Requests& requests) {
    const bool has_pieces = !requests.first_piece.empty();
    std::size_t kept = 0;
    std::uint32_t pieces = 0;
    for (std::size_t i = 0; i < requests.all.size(); ++i) {
        if (!fits_alone(limits, requests.all[i])) continue;
        requests.all[kept] = requests.all[i];
        if (has_pieces) {
            const std::uint32_t first = requests.first_piece[i];
            const std::uint32_t last = requests.first_piece[i + 1];
            requests.first_piece[kept] = pieces;
            // Never behind where they are read from.
            for (std::uint32_t piece = first; piece < last; ++piece)
                requests.pieces[pieces++] = requests.pieces[piece];
        }
        ++kept;
    }
    const auto unfit = static_cast<std::int64_t>(requests.all.size() - kept);
    requests.all.resize(kept);
    if (has_pieces) requests.first_piece[kept] = pieces;
    return unfit;
}

}  // namespace

bool fits_alone(const ReplicaLimits& limits, const Request& request) {
    // The last token is never cached.
    const std::int64_t tokens = std::int64_t{request.prompt} + request.output - 1;
    if (!limits.engine.chunked_prefill && tokens > limits.engine.token_budget) return false;
    return (tokens + limits.page_tokens - 1) / limits.page_tokens <= limits.pages;
}

Outcome serve(const Deployment& deployment, StepTime& step_time, Requests& requests,
              const std::function<void()>& checkpoint) {
    require_consistent(deployment.limits.engine);
    if (deployment.clients > 0) {
        for (Request& request : requests.all) request.arrival = 0;
    }
    const std::int64_t unfit = take_out_unfit(deployment.limits, requests);
    Recorder recorder{deployment.levels, requests.all.size()};
    for (std::int64_t i = 0; i < unfit; ++i) recorder.refused();
    // Clients stay with the replica that answers them; with fewer clients some replicas have nothing to do.
    const std::int64_t busy =
        deployment.clients > 0 ? std::min(deployment.replicas, deployment.clients) : deployment.replicas;
    for (std::int64_t i = 0; i < busy; ++i) {
        const std::int64_t clients = deployment.clients / busy + (i < deployment.clients % busy ? 1 : 0);
        const Share share{requests, static_cast<std::size_t>(i), static_cast<std::size_t>(busy), clients};
        Replica replica{deployment.limits, share, step_time, recorder};
        replica.set_checkpoint(checkpoint);
        replica.serve();
    }
    Outcome outcome = recorder.outcome(deployment.replicas);
    if (!requests.all.empty()) outcome.sent_for = to_seconds(requests.all.back().arrival);
    return outcome;
}

}  // namespace dse::serving
