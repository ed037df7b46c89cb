#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/eval/measure.hpp"
#include "dse/eval/simulator.hpp"
#include "kept_graph.hpp"

/// Inference: a prefill is one pass over a batch of prompts; a decode point is a step of the loop that serves
/// a batch, and the prefill of the prompts that arrive meanwhile.
namespace dse::eval {
namespace {

using graph::Mode;

/// The last steps of a loop, as the difference of playing it in full and until it is steady.
sim::Result steady_step(const sim::Result& full, const sim::Result& until_steady) {
    DSE_ENSURE(full.limiting_stage == until_steady.limiting_stage);
    constexpr double share = 1.0 / graph::decode_steps;
    sim::Result step = full;
    step.iteration_time = (full.iteration_time - until_steady.iteration_time) * share;
    step.parts = {};
    step.parts.add(full.parts, share);
    step.parts.add(until_steady.parts, -share);
    step.node_visits += until_steady.node_visits;
    step.task_visits += until_steady.task_visits;
    return step;
}

/// One prompt a replica, unless the workload says how many.
void set_prompt(const graph::WorkloadSpec& workload, std::int64_t replicas, graph::WorkloadSpec& prompt) {
    prompt = workload;
    prompt.mode = Mode::prefill;
    prompt.global_batch = workload.serving.prefill_batch > 0 ? workload.serving.prefill_batch : replicas;
    prompt.serving.pipeline_batches = 0;
}

}  // namespace

sim::Result Simulator::play_steps(const study::Scenario& scenario, const graph::WorkloadSpec& workload,
                                  graph::ResolvedLayout layout, const sim::Durations& durations) {
    sim::Engine& player = engine(scenario.fidelity.engine);
    const auto play = [&] {
        const graph::Graph& graph = frontend_->build(workload, layout);
        return player.play(played_graph(kept_of(graph), scenario, graph), durations);
    };
    if (layout.steps == 1) return play();
    layout.steps = graph::decode_steps;
    const sim::Result until_steady = play();
    layout.steps = 2 * graph::decode_steps;
    return steady_step(play(), until_steady);
}

/// \returns how long it takes; sets prompt_needs_
double Simulator::read_prompt(const study::Scenario& scenario, const graph::ResolvedLayout& layout,
                              const Machine& machine) {
    set_prompt(scenario.workload, layout.mesh.degree(graph::MeshAxis::data), prompt_);
    try {
        const graph::ResolvedLayout prompt = resolve(prompt_, scenario.system.devices, machine);
        const graph::Graph& graph = frontend_->build(prompt_, prompt);
        prompt_needs_.read(graph);
        Kept& kept = kept_of(graph);
        update_costs(kept, scenario, graph, played_graph(kept, scenario, graph), machine);
        return play_steps(scenario, prompt_, prompt, kept.costs.durations).iteration_time;
    } catch (const ModelError& error) {
        throw ModelError(fmt::format("reading the prompt: {}", error.what()));
    }
}

void Simulator::serve(const study::Scenario& scenario, const graph::ResolvedLayout& layout,
                      const Machine& machine, WhenFull when_full) {
    const graph::WorkloadSpec& workload = scenario.workload;
    const bool decodes = workload.mode == Mode::decode;
    simulation_.graph = &frontend_->build(workload, layout);
    deadline_.check();
    if (when_full == WhenFull::refuse) {
        simulation_.shortage = shortage_of_states(scenario, *simulation_.graph);
        if (simulation_.shortage) return;
    }
    Served served;
    if (decodes) served.prompt_time = read_prompt(scenario, layout, machine);
    const graph::Graph& graph = frontend_->build(workload, layout);
    simulation_.graph = &graph;
    needs_.read(graph);
    const std::span<const StageNeed> prompt = decodes ? prompt_needs_.stages() : std::span<const StageNeed>{};
    simulation_.memory = serving_peak(needs_.stages(), prompt);
    if (when_full == WhenFull::refuse) {
        simulation_.shortage =
            scenario.system.device_classes.empty()
                ? shortage_of_peak(scenario, simulation_.memory)
                : shortage_of_stages(scenario, graph, serving_peaks(needs_.stages(), prompt));
        if (simulation_.shortage) return;
    }
    deadline_.check();
    Kept& kept = kept_of(graph);
    const graph::Graph& played = played_graph(kept, scenario, graph);
    simulation_.graph = &played;
    update_costs(kept, scenario, graph, played, machine);
    deadline_.check();
    simulation_.durations = &kept.costs.durations;
    simulation_.result = play_steps(scenario, workload, layout, kept.costs.durations);
    const graph::Totals step = kept.costs.totals.all(graph) * (1.0 / layout.steps);
    simulation_.metrics = measure(scenario, graph, step, simulation_.result, simulation_.memory);
    const BatchShape shape{layout.microbatch, layout.microbatches, layout.mesh.degree(graph::MeshAxis::data),
                           workload.serving.pipeline_batches == 0};
    const auto limit = [&](const hardware::DeviceSpec& device) {
        const double room = device.memory.capacity.value() / (1.0 + workload.stack.allocator_overhead);
        return batch_limit(needs_.stages(), prompt, shape, room);
    };
    // What fits the smallest of several kinds of device on whatever stage fits them all.
    served.batch_limit = limit(scenario.system.cluster.device);
    for (const hardware::DeviceClassSpec& other : scenario.system.device_classes)
        served.batch_limit = std::min(served.batch_limit, limit(other.device));
    served.prompts = decodes ? prompt_.global_batch : workload.global_batch;
    add_serving(workload, served, simulation_.metrics);
}

}  // namespace dse::eval
