#pragma once

#include "dse/metrics/metrics.hpp"
#include "dse/serving/recorder.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Adds what a run says to the metrics of its mean decode step: the run's rates, latencies and price.
void add_service(const study::Scenario& scenario, const serving::Outcome& outcome, metrics::Metrics& metrics);

}  // namespace dse::eval
