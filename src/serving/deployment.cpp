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

/// \returns how many were taken out
std::int64_t take_out_unfit(const ReplicaLimits& limits, Requests& requests) {
    const auto unfit = std::remove_if(requests.all.begin(), requests.all.end(),
                                      [&](const Request& request) { return !fits_alone(limits, request); });
    const auto number = static_cast<std::int64_t>(requests.all.end() - unfit);
    requests.all.erase(unfit, requests.all.end());
    return number;
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
    const std::int64_t unfit = take_out_unfit(deployment.limits, requests);
    Recorder recorder{deployment.levels, requests.all.size()};
    for (std::int64_t i = 0; i < unfit; ++i) recorder.refused();
    // Clients stay with the replica that answers them; with fewer clients some replicas have nothing to do.
    const std::int64_t busy =
        deployment.clients > 0 ? std::min(deployment.replicas, deployment.clients) : deployment.replicas;
    for (std::int64_t i = 0; i < busy; ++i) {
        Replica replica{deployment.limits, step_time, recorder};
        replica.set_checkpoint(checkpoint);
        const std::int64_t clients = deployment.clients / busy + (i < deployment.clients % busy ? 1 : 0);
        replica.serve({requests.all, static_cast<std::size_t>(i), static_cast<std::size_t>(busy), clients});
    }
    Outcome outcome = recorder.outcome(deployment.replicas);
    if (!requests.all.empty()) outcome.sent_for = to_seconds(requests.all.back().arrival);
    return outcome;
}

}  // namespace dse::serving
