#pragma once

#include "dse/graph/graph.hpp"
#include "dse/graph/totals.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/sim/engine.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The metrics of a simulated iteration.
/// \param total  over all ranks
metrics::Metrics measure(const study::Scenario& scenario, const graph::Graph& graph,
                         const graph::Totals& total, const sim::Result& result,
                         const sim::MemoryPeak& memory);

/// Peak of the fullest device, with the share that the allocator adds.
Bytes peak_memory(const study::Scenario& scenario, const sim::MemoryPeak& memory);

/// What inference knows besides.
struct Served {
    double prompt_time{metrics::not_a_number};  ///< s, of a decode point's prompts
    std::int64_t prompts{1};                    ///< that are read at once
    std::int64_t batch_limit{0};                ///< sequences
};

/// Adds the metrics of inference. A server that reads prompts between its steps spends, a request, its share
/// of `output` steps and of one prefill.
void add_serving(const graph::WorkloadSpec& workload, const Served& served, metrics::Metrics& metrics);

}  // namespace dse::eval
