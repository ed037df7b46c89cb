#include "serving/unfit.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/serving/deployment.hpp"

namespace dse::serving {

void require_consistent(const graph::ServingEngine& engine) {
    if (engine.max_sequences > engine.token_budget)
        throw ModelError(
            fmt::format("max_sequences {} is more than token_budget {}: a step has a token for "
                        "each sequence",
                        engine.max_sequences, engine.token_budget));
    if (engine.hold_steps > 0 && engine.scheduler != graph::Scheduler::tensorrt)
        throw ModelError("hold_steps: prompts wait for others by the rules of scheduler tensorrt alone");
    if (engine.least_replicas > 0 && engine.router != graph::Router::least_loaded)
        throw ModelError("least_replicas: replicas start and stop with router least_loaded alone");
    if (engine.receive_every > 1 && engine.scheduler != graph::Scheduler::sglang)
        throw ModelError("receive_every: scheduler sglang alone looks for new requests now and then");
}

std::int64_t take_out_unfit(Requests& requests, const std::function<bool(const Request&)>& fits) {
    const bool has_pieces = !requests.first_piece.empty();
    std::size_t kept = 0;
    std::uint32_t pieces = 0;
    for (std::size_t i = 0; i < requests.all.size(); ++i) {
        if (!fits(requests.all[i])) continue;
        requests.all[kept] = requests.all[i];
        if (has_pieces) {
            const std::uint32_t first = requests.first_piece[i];
            const std::uint32_t last = requests.first_piece[i + 1];
            requests.first_piece[kept] = pieces;
            // The write position never overtakes the read position.
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

bool fits_pools(const PoolDeployment& deployment, const Request& request) {
    const Request prompt{0, request.prompt, 1};
    // The decode pool receives finished KV caches, so a prompt need not fit into a step.
    ReplicaLimits decode = deployment.decode;
    decode.engine.chunked_prefill = true;
    return fits_alone(deployment.prefill, prompt) && fits_alone(decode, request);
}

}  // namespace dse::serving
