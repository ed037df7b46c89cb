#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "dse/graph/service_levels.hpp"
#include "dse/serving/replica.hpp"
#include "dse/serving/request_source.hpp"

namespace dse::serving {

/// Identical replicas that share the requests.
struct Deployment {
    ReplicaLimits limits;
    std::int64_t replicas{1};
    std::int64_t clients{0};  ///< of a closed loop, over all replicas; 0: requests arrive at their own times
    graph::ServiceLevels levels;
    /// Mean number of tokens generated per sequence and step. Step times are divided by it: they are those of
    /// one token.
    double tokens_a_step{1.0};
    bool keeps_course{false};  ///< whether Outcome::series and Outcome::requests are filled in
    /// Time of a replica's first failure after a time from which on it runs; empty: none fails. Needs router
    /// least_loaded. \see graph::ServingEngine::repair_time
    std::function<Ticks(std::size_t replica, Ticks up)> next_failure{};
    std::vector<graph::RequestClass> classes{};  ///< of the requests, by Request::kind; may be empty
    /// Batches that a replica works on at a time, one in each stage of its pipeline. Each has a scheduler of
    /// its own, an equal share of the cache and of the running requests, and every so-many-th request or
    /// client of the replica (vLLM's virtual engines). Step times are those of one batch that passes all
    /// stages.
    std::int64_t stages{1};
    /// Attention ranks of a replica that share experts, so that they start and end every step together. Each
    /// has the limits, and requests or clients of its own; a router chooses among all ranks.
    std::int64_t ranks{1};

    [[nodiscard]] std::int64_t schedulers() const { return replicas * stages * ranks; }
};

/// Answers all requests.
/// \param requests  requests that cannot fit even alone are removed; in a closed loop the arrival times are
///                  set
/// \param checkpoint  called periodically; an exception it throws ends the run; may be empty
/// \throws ModelError if the engine's limits contradict each other
Outcome serve(const Deployment& deployment, StepTime& step_time, Requests& requests,
              const std::function<void()>& checkpoint);

/// Like serve(), for requests that arrive at their own times and share no prefixes. Memory does not grow with
/// the number of answered requests; see LatencySample for the accuracy of percentiles over more than a
/// million requests.
Outcome serve_stream(const Deployment& deployment, StepTime& step_time, RequestSource& source,
                     const std::function<void()>& checkpoint);

/// Whether a request could ever be answered.
bool fits_alone(const ReplicaLimits& limits, const Request& request);

}  // namespace dse::serving
