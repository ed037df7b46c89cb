#pragma once

#include <cstdint>
#include <span>

#include "dse/sim/engine.hpp"
#include "eval/serving_memory.hpp"
#include "eval/stages/graph_cache.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// Graph → memory, and whether the devices have as much, the cheapest test first. Each test fills the
/// evaluation and returns whether to go on: always, where the job is played even when full.
class Fit {
  public:
    /// What is resident throughout.
    static bool residents(const Job& job, const graph::Graph& graph, Evaluation& evaluation);

    /// The peak of an iteration, which follows from the order of issue, without any time.
    bool iteration(const Job& job, const graph::Graph& graph, sim::Engine& engine, Evaluation& evaluation);

    /// The peak of a server's step. \param prompt  as serving_peak()
    static bool step(const Job& job, const graph::Graph& graph, std::span<const StageNeed> stages,
                     std::span<const StageNeed> prompt, Evaluation& evaluation);

    void tidy() { kept_.tidy(); }
    void forget() { kept_.clear(); }

  private:
    /// A graph's peak, with all that it depends on.
    struct Kept {
        GraphState state;
        sim::MemoryPeak peak;
    };
    const sim::MemoryPeak& peak_of(const Job& job, const graph::Graph& graph, sim::Engine& engine);

    GraphCache<Kept> kept_;
};

}  // namespace dse::eval
