#pragma once

#include <functional>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::graph {

/// The work of one iteration, summed over the nodes of a graph.
struct Totals {
    Flop model_flop;
    Flop executed_flop;
    Bytes memory_traffic;
    Bytes sent;         ///< to other devices (docs/theory/communication.md: ring factors)
    double kernels{0};  ///< launched by the host

    Totals& operator+=(const Totals& other);
    friend Totals operator*(Totals totals, double factor);
};

/// Computes totals of graphs. Each node is visited once per region, however many layers, microbatches and
/// ranks there are. Memory is reused from graph to graph.
class TotalsCounter {
  public:
    /// Reads the works of a graph.
    void read(const Graph& graph);

    /// Totals of one rank of a pipeline stage: update, all tasks, finish, and messages to its neighbours.
    [[nodiscard]] Totals stage(const Graph& graph, std::size_t stage) const;

    /// Totals of all ranks.
    [[nodiscard]] Totals all(const Graph& graph) const;

  private:
    [[nodiscard]] Totals region(const Graph& graph, const StageProgram& program, RegionId region) const;

    std::vector<Totals> nodes_;  ///< by region, without its repeats
};

/// Totals of all ranks of a graph.
Totals totals(const Graph& graph);

/// Calls `visit` for each work that one rank of a stage runs in an iteration, with the number of times it
/// runs, loop iterations included.
void for_each_played_work(const Graph& graph, std::size_t stage,
                          const std::function<void(const Work&, double times)>& visit);

/// Number of nodes that one rank of a stage runs in an iteration, loop iterations included.
double nodes_of_stage(const Graph& graph, std::size_t stage);
/// The maximum of that over the stages.
double most_nodes_of_a_rank(const Graph& graph);

}  // namespace dse::graph
