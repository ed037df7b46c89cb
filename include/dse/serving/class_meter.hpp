#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "dse/graph/request_class.hpp"
#include "dse/serving/latency_sample.hpp"
#include "dse/serving/percentiles.hpp"
#include "dse/serving/request_latencies.hpp"

namespace dse::serving {

/// What the requests of one class experienced.
struct ClassOutcome {
    std::string name;
    std::int64_t answered{0};
    std::int64_t good{0};     ///< within the levels of all requests and of the class
    std::int64_t refused{0};  ///< requests that cannot fit, even alone
    std::int64_t lost{0};     ///< requests whose replicas failed too often, or whose clients gave up
    /// s, by graph::latency_names; NaN: of itl, and if nothing was answered
    std::array<Statistics, graph::latency_names.size()> latency{};
    double worst_level{0};  ///< largest ratio of a latency to a level of the class; NaN if none is stated
};

/// Collects the latencies of one class of requests.
class ClassMeter {
  public:
    explicit ClassMeter(const graph::RequestClass& one);

    /// \param good  whether the request is within the levels of all requests
    /// \returns whether it is within those of the class as well
    bool answered(const RequestLatencies& latencies, bool good);
    void refused() { ++outcome_.refused; }
    void lost() { ++outcome_.lost; }
    ClassOutcome outcome();

  private:
    graph::ServiceLevels levels_;
    RequestLimits limits_;
    LatencySample first_;
    LatencySample per_token_;
    LatencySample whole_;
    ClassOutcome outcome_;
};

}  // namespace dse::serving
