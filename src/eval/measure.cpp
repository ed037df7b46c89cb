#include "dse/eval/measure.hpp"

#include <algorithm>

#include "dse/base/error.hpp"
#include "dse/model/compute/rates.hpp"
#include "dse/model/energy.hpp"
#include "eval/expenses.hpp"

namespace dse::eval {
namespace {

using graph::AxisSet;
using graph::MemoryKind;
using graph::MeshAxis;

/// Communication time by kind of parallelism, in s.
struct CommunicationTimes {
    double tensor{0};
    double context{0};
    double expert{0};
    double data{0};
    double pipeline{0};
};

/// Attributes communication to the outermost axis of its group: dp before pp before ep before cp before tp.
/// Among the experts' axes, edp counts as dp and etp as ep.
CommunicationTimes communication_of(const sim::Parts& parts) {
    CommunicationTimes times;
    times.pipeline = parts.message;
    for (std::size_t group = 0; group < parts.communication.size(); ++group) {
        if (parts.communication[group] == 0.0) continue;
        const AxisSet axes = graph::group_axes(group);
        const auto contains = [&](MeshAxis axis) { return axes.contains(axis); };
        const bool replicas = !(axes & graph::data_parallel_axes).empty();
        const bool experts = contains(MeshAxis::expert) || contains(MeshAxis::expert_tensor);
        double& time = replicas                       ? times.data
                       : contains(MeshAxis::pipeline) ? times.pipeline
                       : experts                      ? times.expert
                       : contains(MeshAxis::context)  ? times.context
                                                      : times.tensor;
        time += parts.communication[group];
    }
    return times;
}

void add_parts(const sim::PathParts& parts, metrics::Metrics& metrics) {
    const CommunicationTimes busy = communication_of(parts.busy);
    metrics.compute_time = parts.busy.compute_time();
    metrics.exposed_tp = busy.tensor;
    metrics.exposed_cp = busy.context;
    metrics.exposed_ep = busy.expert;
    metrics.exposed_dp = busy.data;
    metrics.exposed_pp = busy.pipeline;
    metrics.idle = parts.busy.idle;
    const CommunicationTimes bubble = communication_of(parts.bubble);
    metrics.bubble = parts.bubble.sum();
    metrics.bubble_compute = parts.bubble.compute_time();
    metrics.bubble_tp = bubble.tensor;
    metrics.bubble_cp = bubble.context;
    metrics.bubble_ep = bubble.expert;
    metrics.bubble_dp = bubble.data;
    metrics.bubble_pp = bubble.pipeline;
    metrics.bubble_idle = parts.bubble.idle;
}

void add_memory(const study::Scenario& scenario, const sim::MemoryPeak& memory, metrics::Metrics& metrics) {
    const auto kind = [&](MemoryKind which) { return memory.by_kind[static_cast<std::size_t>(which)]; };
    const double peak = peak_memory(scenario, memory).value();
    metrics.memory_peak = peak;
    metrics.memory_parameters = kind(MemoryKind::parameters);
    metrics.memory_gradients = kind(MemoryKind::gradients);
    metrics.memory_optimizer = kind(MemoryKind::optimizer);
    metrics.memory_activations = kind(MemoryKind::activations);
    metrics.memory_communication = kind(MemoryKind::communication);
    metrics.memory_kv_cache = kind(MemoryKind::kv_cache) + kind(MemoryKind::recurrent_state);
    // The allocator's overhead counts as workspace, so that the kinds sum up to the peak.
    metrics.memory_workspace = kind(MemoryKind::workspace) + (peak - memory.total);
    metrics.host_memory = memory.host;
    metrics.memory_capacity = scenario.system.cluster.device.memory.capacity.value();
}

/// Number of tokens that pass through the model in an iteration.
double tokens_of(const graph::WorkloadSpec& workload) {
    const bool decodes = workload.mode == graph::Mode::decode;
    return static_cast<double>(workload.global_batch * (decodes ? 1 : workload.sequence));
}

void add_energy(const study::Scenario& scenario, const graph::Graph& graph, const graph::Totals& total,
                metrics::Metrics& metrics) {
    const model::Activity activity = mean_activity(scenario, graph, total, Seconds{metrics.iteration_time});
    const Expenses expenses =
        expenses_of(scenario.system, activity.duration, model::energy(scenario.system, activity));
    add_iteration(expenses, metrics);
    const bool has_tokens = scenario.workload.sequence > 0;
    add_per_token(expenses, has_tokens ? tokens_of(scenario.workload) : metrics::not_a_number, metrics);
}

}  // namespace

Bytes memory_outside(const study::Scenario& scenario) {
    if (is_inference(scenario.workload.mode)) return {};
    const graph::SoftwareStack& stack = scenario.workload.stack;
    if (scenario.system.devices == 1) return stack.runtime_memory;
    const graph::ParallelLayout& layout = scenario.workload.layout;
    const std::int64_t ranks_of_model = layout.tp * layout.cp * layout.pp;
    const auto degrees = {layout.tp, layout.cp, layout.pp, layout.ep,
                          scenario.system.devices / ranks_of_model};
    const auto groups = std::ranges::count_if(degrees, [](std::int64_t degree) { return degree > 1; });
    return stack.runtime_memory + stack.communicator_memory * static_cast<double>(1 + groups);
}

Bytes peak_memory(const study::Scenario& scenario, const sim::MemoryPeak& memory) {
    return Bytes{memory.total} * (1.0 + scenario.workload.stack.allocator_overhead) +
           memory_outside(scenario);
}

metrics::Metrics measure(const study::Scenario& scenario, const graph::Graph& graph,
                         const graph::Totals& total, const sim::Result& result,
                         const sim::MemoryPeak& memory) {
    if (!(result.iteration_time > 0.0))
        throw ModelError("an iteration takes no time: nothing in it runs on a device");
    metrics::Metrics metrics;
    metrics.iteration_time = result.iteration_time;
    if (result.parts) add_parts(*result.parts, metrics);
    add_memory(scenario, memory, metrics);

    metrics.model_flop = total.model_flop.value();
    metrics.executed_flop = total.executed_flop.value();
    const graph::WorkloadSpec& workload = scenario.workload;
    const auto samples = static_cast<double>(workload.global_batch);
    // A decode step does not complete sequences.
    if (workload.mode != graph::Mode::decode) metrics.samples_per_second = samples / result.iteration_time;
    if (workload.sequence > 0) {
        metrics.tokens_per_second = tokens_of(workload) / result.iteration_time;
        metrics.tokens_per_second_per_device =
            metrics.tokens_per_second / static_cast<double>(graph.mesh.ranks());
    }
    const FlopPerSecond peak =
        hardware::mean_over_devices(scenario.system, [&](const hardware::DeviceSpec& device) {
            return model::reference_rate(device.peak, scenario.workload.stack.precision);
        });
    metrics.mfu =
        metrics.model_flop / (peak.value() * static_cast<double>(graph.mesh.ranks()) * result.iteration_time);
    add_energy(scenario, graph, total, metrics);
    return metrics;
}

void add_serving(const graph::WorkloadSpec& workload, const Served& served, metrics::Metrics& metrics) {
    const bool decodes = workload.mode == graph::Mode::decode;
    metrics.batch_limit = static_cast<double>(served.batch_limit);
    metrics.time_to_first_token = decodes ? served.prompt_time : metrics.iteration_time;
    const double reading = metrics.time_to_first_token / static_cast<double>(served.prompts);
    if (!decodes) {
        metrics.requests_per_second = 1.0 / reading;
        return;
    }
    metrics.time_per_output_token = metrics.iteration_time;
    // The prefill generates the first token.
    const auto steps = static_cast<double>(workload.serving.output - 1);
    if (steps < 0.0) return;
    metrics.requests_per_second =
        1.0 / (reading + steps * metrics.iteration_time / static_cast<double>(workload.global_batch));
}

}  // namespace dse::eval
