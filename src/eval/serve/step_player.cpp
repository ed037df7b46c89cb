#include "eval/serve/step_player.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "eval/stages/step.hpp"

namespace dse::eval {
namespace {

using graph::MeshAxis;
using graph::Mode;

/// Replicas answer requests of their own: what couples them is no replica.
void require_own_experts(const graph::Mesh& mesh) {
    const std::int64_t experts = mesh.degree(MeshAxis::expert) * mesh.degree(MeshAxis::expert_tensor);
    const std::int64_t own = mesh.degree(MeshAxis::tensor) * mesh.degree(MeshAxis::context);
    if (experts <= own) return;
    throw ModelError(
        fmt::format("mode serving: experts are spread over {} devices, and a replica has {} (ep "
                    "across replicas is not modelled)",
                    experts, own));
}

std::int64_t replicas_of(const study::Scenario& scenario, const Machine& machine,
                         graph::WorkloadSpec& workload) {
    const graph::ParallelLayout& layout = workload.layout;
    const std::int64_t width = layout.tp * layout.cp * layout.pp;
    workload.mode = Mode::decode;
    workload.global_batch =
        std::max<std::int64_t>(1, scenario.system.devices / std::max<std::int64_t>(1, width));
    const graph::ResolvedLayout resolved = resolve(workload, scenario.system.devices, machine);
    require_own_experts(resolved.mesh);
    return resolved.mesh.degree(MeshAxis::data);
}

}  // namespace

StepPlayer::StepPlayer(const study::Scenario& scenario, const Machine& machine, WhenFull when_full,
                       Stages& stages)
    : scenario_{scenario},
      machine_{machine},
      when_full_{when_full},
      stages_{stages},
      workload_{scenario.workload},
      replicas_{replicas_of(scenario, machine, workload_)} {
    workload_.serving.output = 0;
    workload_.serving.pipeline_batches = 0;
}

std::int64_t StepPlayer::prompt_unit() const {
    return workload_.layout.tp * workload_.layout.cp;
}

Job StepPlayer::prompt_job(std::int64_t tokens) {
    workload_.mode = Mode::prefill;
    workload_.sequence = tokens;
    workload_.global_batch = replicas_;
    return job_of(scenario_, workload_, machine_, when_full_);
}

Job StepPlayer::decode_job(std::int64_t sequences, std::int64_t context) {
    workload_.mode = Mode::decode;
    workload_.sequence = context;
    workload_.serving.context = context;
    workload_.global_batch = replicas_ * sequences;
    return job_of(scenario_, workload_, machine_, when_full_);
}

StepPlayer::Step StepPlayer::play(const Job& job) {
    const Cost::Costed costed = stages_.cost(job, stages_.build(job));
    const sim::Result result = play_step(job, *costed.durations, stages_);
    return {result.iteration_time, result.parts.compute[static_cast<std::size_t>(graph::OpClass::attention)]};
}

StepPlayer::Step StepPlayer::prompt(std::int64_t tokens) {
    Step step = play(prompt_job(tokens));
    // One prompt goes through the stages one after another; the parts are those of one of them.
    step.attention *= static_cast<double>(workload_.layout.pp);
    return step;
}

StepPlayer::Step StepPlayer::decode(std::int64_t sequences, std::int64_t context) {
    return play(decode_job(sequences, context));
}

}  // namespace dse::eval
