#pragma once

#include <functional>
#include <optional>

#include "dse/graph/workload_spec.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/serving/recorder.hpp"

namespace dse::eval {

/// Brackets the highest request rate at which the service levels hold: doubles or halves the rate until one
/// rate holds and the next does not, then bisects until the bracket is within `rate_within`. All rates use
/// the same requests with scaled intervals. As the traffic is finite, other seeds give other brackets. A rate
/// at which all requests arrive within ten times the wait that a level or a client allows says nothing,
/// because no queue grows: the search ends below it, and then knows no rate that breaks the levels. Does
/// nothing if rate_within is 0.
/// \param outcome   outcome at the rate of the workload
/// \param serve_at  returns the outcome at a multiple of that rate
/// \returns the outcome at the highest rate; nothing if no rate holds
/// \throws ModelError if there is no rate, there are no levels, or all rates say nothing
std::optional<serving::Outcome> add_highest_rate(const graph::WorkloadSpec& workload,
                                                 const serving::Outcome& outcome,
                                                 const std::function<serving::Outcome(double)>& serve_at,
                                                 metrics::Metrics& metrics);

}  // namespace dse::eval
