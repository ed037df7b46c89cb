#pragma once

#include <cstdint>

#include "dse/graph/class_split.hpp"
#include "dse/graph/totals.hpp"
#include "dse/sim/durations.hpp"
#include "eval/stages/graph_cache.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// Graph + machine → durations and totals.
class Cost {
  public:
    /// \param machines  the machines of the jobs; must outlive this object
    explicit Cost(const MachineCache& machines) : machines_{machines} {}

    /// A graph with its durations; valid until forget().
    struct Costed {
        const graph::Graph* graph{nullptr};  ///< the graph that is simulated
        const sim::Durations* durations{nullptr};
        graph::Totals total;  ///< over all ranks, for one of ResolvedLayout::steps
    };
    /// \throws ModelError if a cost model rejects a work
    Costed operator()(const Job& job, const graph::Graph& graph);

    /// Only Costed::total, which does not depend on the machine.
    graph::Totals total(const Job& job, const graph::Graph& graph);

    /// The graph that is simulated: if stages have different device classes, with separate kernels for each.
    /// Cheap unless devices differ.
    const graph::Graph& played(const Job& job, const graph::Graph& graph);

    void forget() { kept_.clear(); }

  private:
    /// Cached results for a graph, with everything that they depend on.
    struct Kept {
        std::uint64_t revision{0};  ///< revision of the graph
        std::uint64_t machine{0};   ///< serial of the machine
        sim::Durations durations;
        GraphState counted;
        graph::TotalsCounter counter;
        graph::Totals total;  ///< for the state `counted`
        graph::ClassSplit split;
    };
    static const graph::Graph& played(const Job& job, const graph::Graph& graph, Kept& kept);
    void update(const Job& job, const graph::Graph& graph, const graph::Graph& played, Kept& kept) const;
    [[nodiscard]] bool has_kernels_of(const Machine& machine, const graph::Graph& graph,
                                      const Kept& kept) const;

    const MachineCache& machines_;
    GraphCache<Kept> kept_;
};

}  // namespace dse::eval
