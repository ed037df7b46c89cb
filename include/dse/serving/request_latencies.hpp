#pragma once

#include <array>

#include "dse/graph/service_levels.hpp"
#include "dse/serving/percentiles.hpp"

namespace dse::serving {

/// Positions in graph::latency_names.
enum Latency : std::size_t { ttft, tpot, itl, e2e };

/// Latencies of one request, s.
struct RequestLatencies {
    double first{0};
    double per_token{0};  ///< 0: it has a single token
    double whole{0};
};

/// What a single request may take: the loosest of the levels stated for a latency, since one request in ten
/// may exceed the p90, and a median says nothing about a single request.
class RequestLimits {
  public:
    explicit RequestLimits(const graph::ServiceLevels& levels);
    /// A request's inter-token latency is judged by the mean of its gaps.
    [[nodiscard]] bool hold(const RequestLatencies& latencies) const {
        return latencies.first <= first_ && latencies.per_token <= per_token_ && latencies.whole <= whole_;
    }

  private:
    // Infinite: no limit.
    double first_;
    double per_token_;
    double whole_;
};

/// Largest ratio of a latency to its level; NaN if none is stated.
double worst_ratio(const graph::ServiceLevels& levels,
                   const std::array<Statistics, graph::latency_names.size()>& latencies);

}  // namespace dse::serving
