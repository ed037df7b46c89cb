#pragma once

#include <cstdint>
#include <functional>

#include "dse/graph/service_levels.hpp"
#include "dse/serving/replica.hpp"
#include "dse/serving/request_source.hpp"

namespace dse::serving {

/// Equal replicas that take turns in being sent requests.
struct Deployment {
    ReplicaLimits limits;
    std::int64_t replicas{1};
    std::int64_t clients{0};  ///< of a closed loop, all replicas together; 0: requests arrive when they do
    graph::ServiceLevels levels;
    double tokens_a_step{1.0};  ///< that a sequence generates, in the mean; step times are those of one
};

/// Answers all requests.
/// \param requests  of a closed loop, their arrivals are set; those that cannot fit alone are taken out
/// \param checkpoint  called now and then; what it throws ends the run; may be empty
/// \throws ModelError where the engine's limits contradict each other
Outcome serve(const Deployment& deployment, StepTime& step_time, Requests& requests,
              const std::function<void()>& checkpoint);

/// The same of requests that arrive when they do and share no beginnings. Memory does not grow with those
/// that are answered: see LatencySample for what percentiles of more than a million are right to.
Outcome serve_stream(const Deployment& deployment, StepTime& step_time, RequestSource& source,
                     const std::function<void()>& checkpoint);

/// Whether a request could ever be answered.
bool fits_alone(const ReplicaLimits& limits, const Request& request);

}  // namespace dse::serving
