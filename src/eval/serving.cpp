#include "eval/serving.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/eval/measure.hpp"
#include "eval/stages/step.hpp"

namespace dse::eval {
namespace {

using graph::Mode;
using Needs = std::span<const StageNeed>;

/// Sets the workload of a prefill: one prompt per replica, unless the workload states a number.
void set_prompt(const Job& job, graph::WorkloadSpec& prompt) {
    prompt = job.workload;
    prompt.mode = Mode::prefill;
    const std::int64_t stated = job.workload.serving.prefill_batch;
    prompt.global_batch = stated > 0 ? stated : job.layout.mesh.degree(graph::MeshAxis::data);
    prompt.serving.pipeline_batches = 0;
}

/// \returns the time of a prefill, s; sets Stages::server's prompt and prompt_needs
double read_prompt(const Job& job, Stages& stages) {
    set_prompt(job, stages.server.prompt);
    try {
        const Job reading =
            job_of(job.scenario, stages.server.prompt, job.machine, job.when_full, sim::Asked::For::time);
        const graph::Graph& graph = stages.build(reading);
        stages.server.prompt_needs.read(graph);
        const Cost::Costed costed = stages.cost(reading, graph);
        return play_step(reading, *costed.durations, stages).iteration_time;
    } catch (const ModelError& error) {
        throw ModelError(fmt::format("reading the prompt: {}", error.what()));
    }
}

/// Largest batch of all replicas. If there are several kinds of devices, it must fit the smallest one on
/// every stage.
std::int64_t largest_batch(const Job& job, Needs stages, Needs prompt) {
    const BatchShape shape{job.layout.microbatch, job.layout.microbatches,
                           job.layout.mesh.degree(graph::MeshAxis::data),
                           job.workload.serving.pipeline_batches == 0};
    const auto limit = [&](const hardware::DeviceSpec& device) {
        const double room = device.memory.capacity.value() / (1.0 + job.workload.stack.allocator_overhead);
        return batch_limit(stages, prompt, shape, room);
    };
    const hardware::SystemSpec& system = job.scenario.system;
    std::int64_t largest = limit(system.cluster.device);
    for (const hardware::DeviceClassSpec& other : system.device_classes)
        largest = std::min(largest, limit(other.device));
    return largest;
}

}  // namespace

void evaluate_serving(const Job& job, Stages& stages, Evaluation& evaluation) {
    evaluation.graph = &stages.build(job);
    stages.deadline.check();
    if (!stages.fit.residents(job, *evaluation.graph, evaluation)) return;
    const bool decodes = job.workload.mode == Mode::decode;
    Served served;
    if (decodes) served.prompt_time = read_prompt(job, stages);
    const Needs prompt = decodes ? stages.server.prompt_needs.stages() : Needs{};
    // The graph of the prompts may have replaced it.
    const graph::Graph& graph = stages.build(job);
    evaluation.graph = &graph;
    stages.server.needs.read(graph);
    const Needs needs = stages.server.needs.stages();
    if (!stages.fit.step(job, graph, needs, prompt, evaluation)) return;
    stages.deadline.check();
    const Cost::Costed costed = stages.cost(job, graph);
    evaluation.graph = costed.graph;
    stages.deadline.check();
    evaluation.durations = costed.durations;
    evaluation.result = play_step(job, *costed.durations, stages);
    evaluation.metrics = measure(job.scenario, graph, costed.total, evaluation.result, evaluation.memory);
    served.batch_limit = largest_batch(job, needs, prompt);
    served.prompts = decodes ? stages.server.prompt.global_batch : job.workload.global_batch;
    add_serving(job.workload, served, evaluation.metrics);
}

}  // namespace dse::eval
