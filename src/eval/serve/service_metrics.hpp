#pragma once

#include "dse/metrics/metrics.hpp"
#include "dse/serving/recorder.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Adds rates, latencies and price of a run to the metrics of its mean decode step.
void add_service(const study::Scenario& scenario, const serving::Outcome& outcome, metrics::Metrics& metrics);

}  // namespace dse::eval
