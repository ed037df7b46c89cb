#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::graph {

/// Work of one iteration, summed over the nodes of a graph.
struct Totals {
    Flop model_flop;
    Flop executed_flop;
    Bytes memory_traffic;
    Bytes sent;         ///< to other devices (docs/theory/communication.md: ring factors)
    double kernels{0};  ///< launched by the host

    Totals& operator+=(const Totals& other);
    friend Totals operator*(Totals totals, double factor);
};

/// Sums graphs. Nodes are looked at once for each region, whatever the layers, microbatches and ranks; its
/// memory is reused from graph to graph.
class TotalsCounter {
  public:
    /// Takes over the numbers of a graph.
    void read(const Graph& graph);

    /// Of one rank of a pipeline stage: update, all its tasks, finish, and what it sends to its neighbours.
    [[nodiscard]] Totals stage(const Graph& graph, std::size_t stage) const;

    /// Of all ranks.
    [[nodiscard]] Totals all(const Graph& graph) const;

  private:
    [[nodiscard]] Totals region(const Graph& graph, const StageProgram& program, RegionId region) const;

    std::vector<Totals> nodes_;  ///< by region, without its repeats
};

/// Of all ranks of a graph.
Totals totals(const Graph& graph);

/// How often one rank of a stage takes part in collectives, and with how much data, by kind and axes.
struct CollectiveTotal {
    double count{0};
    Bytes size;  ///< sum of the full buffers
};
using CollectiveTotals = std::map<std::tuple<CollectiveKind, std::uint8_t>, CollectiveTotal>;
CollectiveTotals collectives_of_stage(const Graph& graph, std::size_t stage);

/// Calls `visit` for each work that one rank of a stage plays in an iteration, and how often, those of loops
/// each time.
void for_each_played_work(const Graph& graph, std::size_t stage,
                          const std::function<void(const Work&, double times)>& visit);

/// Nodes that one rank of a stage plays in an iteration, those of loops each time.
double nodes_of_stage(const Graph& graph, std::size_t stage);
/// Of the stage that plays the most.
double most_nodes_of_a_rank(const Graph& graph);

}  // namespace dse::graph
