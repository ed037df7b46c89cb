#pragma once

#include "dse/graph/graph.hpp"
#include "dse/graph/totals.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/sim/engine.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The metrics of a simulated iteration.
/// \param total  totals over all ranks
metrics::Metrics measure(const study::Scenario& scenario, const graph::Graph& graph,
                         const graph::Totals& total, const sim::Result& result,
                         const sim::MemoryPeak& memory);

/// Memory of each device outside of the framework's allocator; none is known of servers.
Bytes memory_outside(const study::Scenario& scenario);

/// Memory peak of the fullest device, including the allocator's overhead and what is outside of it.
Bytes peak_memory(const study::Scenario& scenario, const sim::MemoryPeak& memory);

/// Further inputs to the metrics of inference.
struct Served {
    double prompt_time{metrics::not_a_number};  ///< s, prefill time of a decode point's prompts
    std::int64_t prompts{1};                    ///< number of prompts processed at once
    std::int64_t batch_limit{0};                ///< largest batch that fits, in sequences
};

/// Adds the metrics of inference. If a server processes prompts between its decode steps, a request takes up
/// its share of one prefill and of the decode steps for its output tokens after the first.
void add_serving(const graph::WorkloadSpec& workload, const Served& served, metrics::Metrics& metrics);

}  // namespace dse::eval
