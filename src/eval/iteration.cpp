#include "eval/iteration.hpp"

#include "dse/eval/measure.hpp"

namespace dse::eval {

void evaluate_iteration(const Job& job, Stages& stages, Evaluation& evaluation) {
    const graph::Graph& graph = stages.build(job);
    evaluation.graph = &graph;
    stages.go_on();
    if (!stages.fit.residents(job, graph, evaluation)) return;
    if (!stages.fit.iteration(job, graph, stages.play.engine(job), evaluation)) return;
    stages.go_on();
    const Cost::Costed costed = stages.cost(job, graph);
    evaluation.graph = costed.graph;
    stages.go_on();
    evaluation.durations = costed.durations;
    evaluation.result = stages.play(job, *costed.graph, *costed.durations);
    evaluation.metrics = measure(job.scenario, graph, costed.total, evaluation.result, evaluation.memory);
}

}  // namespace dse::eval
