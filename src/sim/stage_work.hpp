#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"

namespace dse::sim {

/// Whether a work takes part in stage_work().
bool counts_as_work(const graph::Work& work);

/// Time of a work in stage_work() each time it runs: of a kernel, or the exposed part of a collective.
double work_time(const graph::Work& work, const NodeTime& time);

/// Time of each stage's kernels and exposed communication in one iteration, on its slowest rank, without
/// messages and without any waits.
std::vector<double> stage_work(const graph::Graph& graph, const Durations& durations);

/// The stage with the largest stage_work() (the first one if several). An iteration takes at least that long,
/// however well the schedule fills the pipeline.
std::uint32_t busiest_stage(const graph::Graph& graph, const Durations& durations);

}  // namespace dse::sim
