#include "eval/iteration.hpp"

#include "dse/eval/measure.hpp"

namespace dse::eval {

void evaluate_iteration(const Job& job, Stages& stages, Evaluation& evaluation) {
    const graph::Graph& graph = stages.build(job);
    evaluation.graph = &graph;
    stages.deadline.check();
    if (!stages.fit.residents(job, graph, evaluation)) return;
    if (!stages.fit.iteration(job, graph, stages.play.engine(job), evaluation)) return;
    stages.deadline.check();
    if (const Ahead::Answer* known = stages.ahead.find(job, graph, stages.play.engine(job))) {
        evaluation.durations = &known->durations;
        evaluation.result = *known->result;
        const graph::Totals total = stages.cost.total(job, graph);
        evaluation.metrics = measure(job.scenario, graph, total, evaluation.result, evaluation.memory);
        return;
    }
    const Cost::Costed costed = stages.cost(job, graph);
    evaluation.graph = costed.graph;
    stages.deadline.check();
    evaluation.durations = costed.durations;
    evaluation.result = stages.play(job, *costed.graph, *costed.durations);
    evaluation.metrics = measure(job.scenario, graph, costed.total, evaluation.result, evaluation.memory);
}

}  // namespace dse::eval
