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
    /// A graph with what it takes; valid until tidy() or forget().
    struct Costed {
        const graph::Graph* graph{nullptr};  ///< as it is played
        const sim::Durations* durations{nullptr};
        graph::Totals total;  ///< over all ranks, in one of ResolvedLayout::steps
    };
    /// \throws ModelError where a cost model refuses a work
    Costed operator()(const Job& job, const graph::Graph& graph);

    /// Costed::total alone, which no machine changes.
    graph::Totals total(const Job& job, const graph::Graph& graph);

    /// The graph as it is played: where stages have devices of their own classes, with kernels for each.
    /// Cheap, but for jobs whose devices differ.
    const graph::Graph& played(const Job& job, const graph::Graph& graph);

    void tidy() { kept_.tidy(); }
    void forget() { kept_.clear(); }

  private:
    /// What is kept of a graph, with all that it depends on.
    struct Kept {
        std::uint64_t revision{0};  ///< of the graph
        std::uint64_t machine{0};   ///< its serial
        sim::Durations durations;
        GraphState counted;
        graph::TotalsCounter counter;
        graph::Totals total;  ///< of `counted`
        graph::ClassSplit split;
    };
    static const graph::Graph& played(const Job& job, const graph::Graph& graph, Kept& kept);
    static void update(const Job& job, const graph::Graph& graph, const graph::Graph& played, Kept& kept);

    GraphCache<Kept> kept_;
};

}  // namespace dse::eval
