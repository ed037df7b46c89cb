#pragma once

#include <functional>

#include "dse/graph/workload_spec.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/serving/recorder.hpp"

namespace dse::eval {

/// Brackets the highest rate at which the levels hold: doubles or halves the rate until one holds and the
/// other does not, and cuts in half until they are rate_within of each other. The same requests, closer
/// together. Of finite traffic: another seed has another bracket. Does nothing where it is not asked for.
/// \param outcome  at the rate of the workload
/// \param serve_at  the outcome of so many times that rate
/// \throws ModelError where there is no rate, or are no levels
void add_highest_rate(const graph::WorkloadSpec& workload, const serving::Outcome& outcome,
                      const std::function<serving::Outcome(double)>& serve_at, metrics::Metrics& metrics);

}  // namespace dse::eval
