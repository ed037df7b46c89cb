#include "eval/serve/answer_requests.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/eval/measure.hpp"
#include "dse/serving/deployment.hpp"
#include "dse/serving/draw_requests.hpp"
#include "dse/serving/trace_reader.hpp"
#include "eval/serve/cache_room.hpp"
#include "eval/serve/rate_search.hpp"
#include "eval/serve/service_metrics.hpp"
#include "eval/stages/step.hpp"

namespace dse::eval {
namespace {

/// \param faster  than the scenario says
serving::Requests requests_of(const ServeJob& job, double faster) {
    graph::Traffic traffic = job.scenario.workload.traffic;
    if (traffic.trace.empty()) {
        traffic.rate = traffic.rate * faster;
        return serving::draw_requests(traffic, job.scenario.sweep_seed);
    }
    if (traffic.rate.value() > 0.0)
        throw ModelError("traffic has both a trace and a rate (leave one out; speed changes a trace's)");
    serving::Requests requests = job.traces.find(traffic.trace, traffic.most_requests);
    // Clients send when they are answered, whenever the trace does.
    if (traffic.clients > 0) return requests;
    speed_up(traffic.speed * faster, requests);
    return requests;
}

serving::Deployment deployment_of(const ServeJob& job, const StepPlayer& player, const CacheRoom& room) {
    const graph::WorkloadSpec& workload = job.scenario.workload;
    return {{room.pages, workload.serving.kv_block, workload.engine},
            player.replicas(),
            workload.traffic.clients,
            workload.levels};
}

/// What a device does most of the time.
void measure_mean_step(const ServeJob& job, StepPlayer& player, const serving::Outcome& outcome,
                       Evaluation& evaluation) {
    const auto parts = static_cast<double>(player.parts());
    const auto sequences =
        static_cast<std::int64_t>(std::max(1.0, std::round(outcome.decoding / parts)) * parts);
    const auto context = static_cast<std::int64_t>(std::max(1.0, std::round(outcome.context)));
    Job step = player.decode_job(sequences, context);
    step.asked = job.asked;
    const Cost::Costed costed = job.stages.cost(step, job.stages.build(step));
    evaluation.graph = costed.graph;
    evaluation.durations = costed.durations;
    evaluation.result = play_step(step, *costed.durations, job.stages);
    study::Scenario scenario = job.scenario;
    scenario.workload = step.workload;
    evaluation.metrics = measure(scenario, *costed.graph, costed.total, evaluation.result, evaluation.memory);
}

void require_answers(const serving::Outcome& outcome, const CacheRoom& room) {
    if (outcome.answered > 0) return;
    throw ModelError(
        fmt::format("none of {} requests fits a cache of {} pages alone", outcome.refused, room.pages));
}

}  // namespace

void answer_requests(const ServeJob& job, Evaluation& evaluation) {
    StepPlayer player{job.scenario, job.machine, job.when_full, job.stages};
    job.checkpoint();
    CacheRoom room;
    if (!find_room(player, evaluation, room)) return;
    job.steps.serve(player, step_key(job.scenario, job.machine));
    const serving::Deployment deployment = deployment_of(job, player, room);
    const auto serve_at = [&](double faster) {
        serving::Requests requests = requests_of(job, faster);
        return serving::serve(deployment, job.steps, requests, job.checkpoint);
    };
    const serving::Outcome outcome = serve_at(1.0);
    require_answers(outcome, room);
    measure_mean_step(job, player, outcome, evaluation);
    add_service(job.scenario, outcome, evaluation.metrics);
    add_highest_rate(job.scenario.workload, outcome, serve_at, evaluation.metrics);
}

}  // namespace dse::eval
