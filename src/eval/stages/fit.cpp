#include "eval/stages/fit.hpp"

#include <utility>

namespace dse::eval {
namespace {

bool differ(const Job& job) {
    return !job.scenario.system.device_classes.empty();
}

bool refuses(const Job& job) {
    return job.when_full == WhenFull::refuse;
}

bool fits(std::optional<Shortage> shortage, Evaluation& evaluation) {
    evaluation.shortage = std::move(shortage);
    return !evaluation.shortage;
}

}  // namespace

bool Fit::residents(const Job& job, const graph::Graph& graph, Evaluation& evaluation) {
    return !refuses(job) || fits(shortage_of_states(job.scenario, graph), evaluation);
}

bool Fit::iteration(const Job& job, const graph::Graph& graph, sim::Engine& engine, Evaluation& evaluation) {
    evaluation.memory = peak_of(job, graph, engine);
    if (!refuses(job)) return true;
    return fits(differ(job) ? shortage_of_stages(job.scenario, graph, stage_peaks(graph))
                            : shortage_of_peak(job.scenario, evaluation.memory),
                evaluation);
}

bool Fit::step(const Job& job, const graph::Graph& graph, std::span<const StageNeed> stages,
               std::span<const StageNeed> prompt, Evaluation& evaluation) {
    evaluation.memory = serving_peak(stages, prompt);
    if (!refuses(job)) return true;
    return fits(differ(job) ? shortage_of_stages(job.scenario, graph, serving_peaks(stages, prompt))
                            : shortage_of_peak(job.scenario, evaluation.memory),
                evaluation);
}

const sim::MemoryPeak& Fit::peak_of(const Job& job, const graph::Graph& graph, sim::Engine& engine) {
    Kept& kept = kept_[graph];
    const GraphState state = state_of(job, graph);
    if (kept.state != state) {
        kept.state = {};  // stays invalid if the engine throws
        kept = {state, engine.peak_memory(graph)};
    }
    return kept.peak;
}

}  // namespace dse::eval
