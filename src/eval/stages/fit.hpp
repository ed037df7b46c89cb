#pragma once

#include <cstdint>
#include <span>

#include "dse/sim/engine.hpp"
#include "eval/serving_memory.hpp"
#include "eval/stages/graph_cache.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// Graph → memory, and whether it fits into the devices; the cheapest test comes first. Each test fills in
/// the evaluation and returns whether to continue, which is always true for WhenFull::simulate.
class Fit {
  public:
    /// Tests permanently resident buffers.
    static bool residents(const Job& job, const graph::Graph& graph, Evaluation& evaluation);

    /// Tests the peak of an iteration, which follows from the issue order and needs no times.
    bool iteration(const Job& job, const graph::Graph& graph, sim::Engine& engine, Evaluation& evaluation);

    /// Tests the peak of a server's step. \param prompt  like serving_peak()
    static bool step(const Job& job, const graph::Graph& graph, std::span<const StageNeed> stages,
                     std::span<const StageNeed> prompt, Evaluation& evaluation);

    void forget() { kept_.clear(); }

  private:
    /// A graph's peak, with everything that it depends on.
    struct Kept {
        GraphState state;
        sim::MemoryPeak peak;
    };
    const sim::MemoryPeak& peak_of(const Job& job, const graph::Graph& graph, sim::Engine& engine);

    GraphCache<Kept> kept_;
};

}  // namespace dse::eval
