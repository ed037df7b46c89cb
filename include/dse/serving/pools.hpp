#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "dse/serving/deployment.hpp"

namespace dse::serving {

/// Disaggregated serving: a pool of workers for prefill, a pool of workers for decode, and the transfer of KV
/// caches from the first to the second. The workers of a pool are identical and take requests in turns. A
/// prefill worker has prefill.engine.attention_dp ranks; a decode worker has decode_ranks.
struct PoolDeployment {
    ReplicaLimits prefill;
    ReplicaLimits decode;
    std::int64_t prefill_workers{1};
    std::int64_t decode_workers{1};  ///< counting decode_ranks as one
    std::int64_t clients{0};  ///< number of clients of a closed loop; 0: requests arrive at their own times
    graph::ServiceLevels levels;
    double tokens_a_step{1.0};  ///< as Deployment::tokens_a_step, for the decode workers
    /// Time from the end of a prefill until the KV cache has arrived.
    /// \param reading  time since the start of the first prefill step
    std::function<Ticks(std::int64_t tokens, Ticks reading)> transfer;
    /// Whether the first token is returned when a decode worker admits the request, rather than at the end of
    /// the prefill.
    bool first_token_waits{false};
    bool keeps_course{false};  ///< whether Outcome::series and Outcome::requests are filled in
    std::vector<graph::RequestClass> classes{};  ///< of the requests, by Request::kind; may be empty
    /// Attention ranks of a decode worker that share experts, so that they start and end every step together.
    /// Each takes requests and has the limits of its own.
    std::int64_t decode_ranks{1};
    /// Of the draw of an attention rank of the prefill worker for each request; nothing: they take turns.
    std::optional<std::uint64_t> rank_seed{};

    [[nodiscard]] std::int64_t generators() const { return decode_workers * decode_ranks; }
};

/// Answers all requests. A prompt queues at its prefill worker and is processed first come, first served in
/// steps of at most token_budget tokens, chunked or whole. Its KV cache is sent to a decode worker, where it
/// waits for a free slot and for all pages that it will need until its end; then it generates a token in
/// every step of that worker. All events at a point in time are handled before any worker starts a step at
/// that time.
/// \param prompts   step times of the prefill pool
/// \param answers   step times of the decode pool
/// \param requests  as for serve()
/// \throws ModelError if an engine's limits contradict each other
Outcome serve_pools(const PoolDeployment& deployment, StepTime& prompts, StepTime& answers,
                    Requests& requests, const std::function<void()>& checkpoint);

}  // namespace dse::serving
