#pragma once

#include <span>
#include <string>

#include "dse/eval/evaluation.hpp"
#include "dse/graph/traffic.hpp"
#include "dse/metrics/metrics.hpp"

namespace dse::app {

/// "poisson at 4 requests/s, prompts of 1024, answers of 512 tokens".
std::string traffic_text(const graph::Traffic& traffic);

/// A table of classes of requests; empty if there are none.
std::string classes_text(std::span<const serving::ClassOutcome> classes);

/// Results of mode serving for a point, as text.
std::string service_text(const metrics::Metrics& metrics);

}  // namespace dse::app
