#pragma once

#include <string>

#include "dse/graph/traffic.hpp"
#include "dse/metrics/metrics.hpp"

namespace dse::app {

/// "poisson at 4 requests/s, prompts of 1024, answers of 512 tokens".
std::string traffic_text(const graph::Traffic& traffic);

/// Results of mode serving for a point, as text.
std::string service_text(const metrics::Metrics& metrics);

}  // namespace dse::app
