#pragma once

#include "dse/eval/scenario.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/sim/engine.hpp"
#include "dse/workload/graph.hpp"
#include "dse/workload/totals.hpp"

namespace dse::eval {

/// The metrics of a simulated iteration.
/// \param total  over all ranks
metrics::Metrics measure(const Scenario& scenario, const workload::Graph& graph,
                         const workload::Totals& total, const sim::Result& result,
                         const sim::MemoryPeak& memory);

/// Peak of the fullest device, with the share that the allocator adds.
Bytes peak_memory(const Scenario& scenario, const sim::MemoryPeak& memory);

}  // namespace dse::eval
