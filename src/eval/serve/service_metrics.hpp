#pragma once

#include "dse/metrics/metrics.hpp"
#include "dse/serving/recorder.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Adds rates, latencies and price of a run to the metrics of its mean decode step.
void add_service(const study::Scenario& scenario, const serving::Outcome& outcome, metrics::Metrics& metrics);

/// Adds the price per token at max_request_rate: what the devices cost while that rate is sustained. Their
/// power is taken from the metrics, which are those of the stated rate.
/// \param outcome  at max_request_rate
void add_price_at_max_rate(const study::Scenario& scenario, const serving::Outcome& outcome,
                           metrics::Metrics& metrics);

}  // namespace dse::eval
