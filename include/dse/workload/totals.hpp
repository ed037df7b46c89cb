#pragma once

#include <map>
#include <tuple>

#include "dse/workload/graph.hpp"

namespace dse::workload {

/// Work of one iteration, summed over the nodes of a graph: what the closed forms of FORMULAS are compared
/// with.
struct Totals {
    Flop model_flop;
    Flop executed_flop;
    Bytes memory_traffic;
    double kernels{0};  ///< launched by the host

    Totals& operator+=(const Totals& other);
    friend Totals operator*(Totals totals, double factor);
};

/// Of one region, played once by a stage of this program.
Totals totals_of_region(const Graph& graph, const StageProgram& program, RegionId region);

/// Of one rank of a pipeline stage: update, all its tasks, finish.
Totals totals_of_stage(const Graph& graph, std::size_t stage);

/// Of all ranks.
Totals totals(const Graph& graph);

/// How often one rank of a stage takes part in collectives, and with how much data, by kind and axes.
struct CollectiveTotal {
    double count{0};
    Bytes size;  ///< sum of the full buffers
};
using CollectiveTotals = std::map<std::tuple<CollectiveKind, std::uint8_t>, CollectiveTotal>;
CollectiveTotals collectives_of_stage(const Graph& graph, std::size_t stage);

}  // namespace dse::workload
