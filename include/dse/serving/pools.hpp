#pragma once

#include <cstdint>
#include <functional>

#include "dse/serving/deployment.hpp"

namespace dse::serving {

/// Workers that read prompts, workers that generate answers from the caches that these leave, and the way
/// between them. Workers of a pool are equal, and take turns.
struct PoolDeployment {
    ReplicaLimits prefill;
    ReplicaLimits decode;
    std::int64_t prefill_workers{1};
    std::int64_t decode_workers{1};
    std::int64_t clients{0};  ///< of a closed loop; 0: requests arrive when they do
    graph::ServiceLevels levels;
    double tokens_a_step{1.0};  ///< as Deployment's, of those who decode
    /// From the end of a prompt until its cache has arrived. \param reading  from the beginning of its first
    /// step
    std::function<Ticks(std::int64_t tokens, Ticks reading)> transfer;
    /// Whether the first token is answered when the cache has arrived; else when the prompt is read.
    bool first_token_waits{false};
};

/// Answers all requests. A prompt waits in the line of its worker, is read in steps of at most token_budget
/// tokens, in pieces or whole, first come first served; its cache goes to a worker of the other pool, where
/// it waits for a place and for the pages that it needs to its end, and then generates a token in every step
/// of that worker. What happens at one moment happens before any worker begins a step then. \param prompts
/// steps of the pool that reads \param answers  of the other one \param requests  as serve()'s \throws
/// ModelError where an engine's limits contradict each other
Outcome serve_pools(const PoolDeployment& deployment, StepTime& prompts, StepTime& answers,
                    Requests& requests, const std::function<void()>& checkpoint);

}  // namespace dse::serving
