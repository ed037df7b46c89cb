#include "eval/stages/cost.hpp"

#include "dse/eval/durations.hpp"
#include "eval/job_devices.hpp"

namespace dse::eval {

Cost::Costed Cost::operator()(const Job& job, const graph::Graph& graph) {
    Kept& kept = kept_[graph];
    const graph::Graph& graph_played = played(job, graph, kept);
    update(job, graph, graph_played, kept);
    return {&graph_played, &kept.durations, total(job, graph)};
}

graph::Totals Cost::total(const Job& job, const graph::Graph& graph) {
    Kept& kept = kept_[graph];
    const GraphState state = state_of(job, graph);
    if (kept.counted != state) {
        if (kept.counted.revision != state.revision) kept.counter.read(graph);
        kept.total = kept.counter.all(graph);
        kept.counted = state;
    }
    return kept.total * (1.0 / job.layout.steps);
}

const graph::Graph& Cost::played(const Job& job, const graph::Graph& graph) {
    return played(job, graph, kept_[graph]);
}

const graph::Graph& Cost::played(const Job& job, const graph::Graph& graph, Kept& kept) {
    if (job.scenario.system.device_classes.empty()) return graph;
    const JobDevices devices{job.scenario.system, graph.mesh};
    if (devices.differ_within_a_stage()) return graph;
    kept.split.read(graph, devices.of_stage());
    return kept.split.graph();
}

/// Whether the durations that are kept are those of the graph on a machine where kernels take the same times.
bool Cost::has_kernels_of(const Machine& machine, const graph::Graph& graph, const Kept& kept) const {
    if (kept.revision == 0 || kept.revision != graph.revision) return false;
    const Machine* before = machines_.find(kept.machine);
    return before != nullptr && have_same_kernels(*before, machine);
}

void Cost::update(const Job& job, const graph::Graph& graph, const graph::Graph& played, Kept& kept) const {
    const Machine& machine = job.machine;
    if (kept.revision == graph.revision && kept.machine == machine.serial) return;
    const bool has_kernels = has_kernels_of(machine, graph, kept);
    kept.revision = 0;  // stays invalid if a model throws
    const hardware::SystemSpec& system = job.scenario.system;
    fill_durations(played, machine, system.cluster, kept.durations, has_kernels ? &kept.durations : nullptr);
    if (&played != &graph) fill_stage_classes(played, kept.split.class_of_work(), machine, kept.durations);
    const bool differ = &played == &graph && !system.device_classes.empty();
    const auto of_rank = differ ? JobDevices{system, graph.mesh}.of_rank() : JobDevices::OfRank{};
    fill_kernel_tables(played, system.stragglers, of_rank, machine, kept.durations);
    kept.machine = machine.serial;
    kept.revision = graph.revision;
}

}  // namespace dse::eval
