#include "dse/serving/deployment.hpp"

#include <algorithm>

#include "serving/unfit.hpp"

namespace dse::serving {

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
    const std::int64_t unfit = take_out_unfit(
        requests, [&](const Request& request) { return fits_alone(deployment.limits, request); });
    Recorder recorder{deployment.levels, requests.all.size(), deployment.tokens_a_step};
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
