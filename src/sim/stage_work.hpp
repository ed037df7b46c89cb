#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"

namespace dse::sim {

/// How long the kernels of each stage take in one iteration, on its slowest rank, and the share of its
/// communication that is exposed; without messages, and were nothing ever waited for.
std::vector<double> stage_work(const graph::Graph& graph, const Durations& durations);

/// The stage with most of it, the first such one: however well a schedule fills the pipeline, an iteration
/// takes as long.
std::uint32_t busiest_stage(const graph::Graph& graph, const Durations& durations);

}  // namespace dse::sim
