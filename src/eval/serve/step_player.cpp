#include "eval/serve/step_player.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/model/compute/attention_time.hpp"
#include "eval/stages/step.hpp"

namespace dse::eval {
namespace {

using graph::MeshAxis;
using graph::Mode;

/// Replicas serve requests independently, so that experts must not be shared between replicas.
void require_own_experts(const graph::Mesh& mesh, std::int64_t attention_dp) {
    const std::int64_t ranks = mesh.degree(MeshAxis::data);
    if (ranks % attention_dp != 0)
        throw ModelError(fmt::format(
            "mode serving: {} data-parallel ranks are not a whole number of replicas of attention_dp {}",
            ranks, attention_dp));
    const std::int64_t experts = mesh.degree(MeshAxis::expert) * mesh.degree(MeshAxis::expert_tensor);
    const std::int64_t own = mesh.degree(MeshAxis::tensor) * mesh.degree(MeshAxis::context) * attention_dp;
    if (experts <= own) return;
    throw ModelError(
        fmt::format("mode serving: experts are spread over {} devices, and a replica has {} (attention_dp "
                    "makes it wider)",
                    experts, own));
}

struct Schedulers {
    std::int64_t all{1};
    std::int64_t together{1};  ///< of these: attention ranks of a replica that share experts
};

Schedulers schedulers_of(const study::Scenario& scenario, const Machine& machine,
                         graph::WorkloadSpec& workload) {
    const graph::ParallelLayout& layout = workload.layout;
    const std::int64_t width = layout.tp * layout.cp * layout.pp;
    workload.mode = Mode::decode;
    workload.global_batch =
        std::max<std::int64_t>(1, scenario.system.devices / std::max<std::int64_t>(1, width));
    const graph::ResolvedLayout resolved = resolve(workload, scenario.system.devices, machine);
    const graph::Mesh& mesh = resolved.mesh;
    require_own_experts(mesh, workload.engine.attention_dp);
    const std::int64_t experts = mesh.degree(MeshAxis::expert) * mesh.degree(MeshAxis::expert_tensor);
    const bool are_shared = experts > mesh.degree(MeshAxis::tensor) * mesh.degree(MeshAxis::context);
    return {mesh.degree(MeshAxis::data), are_shared ? workload.engine.attention_dp : 1};
}

bool is_expert_product(const graph::Work& work) {
    const auto* compute = std::get_if<graph::Compute>(&work);
    return compute != nullptr && compute->op_class == graph::OpClass::gemm && compute->of_experts;
}

/// Products of many matrices: of experts, and of each head of latent attention. No cast is known to come
/// before them, and no adapter beside them.
bool is_batch_of_products(const graph::Compute& compute) {
    return compute.of_experts || compute.gemm.batch > 1.0;
}

/// Products of experts, and exchanges of their tokens.
bool is_shared(const graph::Work& work) {
    if (is_expert_product(work)) return true;
    const auto* collective = std::get_if<graph::Collective>(&work);
    return collective != nullptr && !(collective->axes & graph::expert_axes).empty();
}

bool is_launch(const graph::Work& work) {
    return std::holds_alternative<graph::Launch>(work);
}

/// Time of the works of some kind.
double time_of(const graph::Graph& graph, const sim::Durations& durations,
               bool (*is_counted)(const graph::Work&)) {
    double time = 0.0;
    for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage) {
        graph::for_each_played_work(graph, stage, [&](const graph::Work& work, double times) {
            const auto index = static_cast<std::size_t>(&work - graph.works.data());
            if (is_counted(work)) time += times * durations.of_work[index].duration * durations.unit;
        });
    }
    return time;
}

/// Further time around products: of casts to eight bits before dense ones, which transform their scales or
/// handle their rows one by one (with few rows, much of the latter is hidden by the latency of kernels), and
/// of kernels around those of experts.
double time_around_products(const graph::Graph& graph, const graph::ServingEngine& engine) {
    const bool casts = engine.cast_launch > Seconds{} || engine.cast_row_time > Seconds{};
    if (!casts && engine.expert_launch == Seconds{}) return 0.0;
    double products = 0.0;
    double rows = 0.0;
    double of_experts = 0.0;
    for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage) {
        graph::for_each_played_work(graph, stage, [&](const graph::Work& work, double times) {
            const auto* compute = std::get_if<graph::Compute>(&work);
            if (compute == nullptr || compute->op_class != graph::OpClass::gemm) return;
            if (compute->of_experts) of_experts += times;
            if (is_batch_of_products(*compute) || compute->precision != graph::Precision::fp8) return;
            const double own = compute->gemm.m;
            products += times;
            rows += times * own * (own / (own + engine.cast_rows_half));
        });
    }
    return products * engine.cast_launch.value() + rows * engine.cast_row_time.value() +
           of_experts * engine.expert_launch.value();
}

}  // namespace

StepPlayer::StepPlayer(const study::Scenario& scenario, const Machine& machine, const Machine& replayed,
                       WhenFull when_full, Stages& stages)
    : scenario_{scenario},
      machine_{machine},
      replayed_{replayed},
      when_full_{when_full},
      stages_{stages},
      workload_{scenario.workload} {
    const Schedulers schedulers = schedulers_of(scenario, machine, workload_);
    replicas_ = schedulers.all;
    ranks_ = schedulers.together;
    if (workload_.engine.two_batch && workload_.layout.pp > 1)
        throw ModelError(
            "two_batch: the halves of steps in a pipeline are not modelled (pp is 1, or two_batch "
            "false)");
    workload_.serving.output = 0;
    workload_.serving.pipeline_batches = 0;
}

std::int64_t StepPlayer::prompt_unit() const {
    return workload_.layout.tp * workload_.layout.cp;
}

/// Whether a captured graph replays a step that reads prompts: vLLM's, in pieces, up to its
/// max_cudagraph_capture_size. The host launches the kernels of all others one by one.
bool StepPlayer::replays_prompt(std::int64_t tokens) const {
    const graph::WorkloadSpec& workload = scenario_.workload;
    return workload.stack.cuda_graphs && workload.engine.scheduler == graph::Scheduler::vllm &&
           tokens <= workload.engine.graph_tokens;
}

Job StepPlayer::prompt_job(std::int64_t tokens) {
    workload_.mode = Mode::prefill;
    workload_.stack.cuda_graphs = replays_prompt(tokens);
    workload_.sequence = tokens;
    workload_.global_batch = replicas_;
    return job_of(scenario_, workload_, machine_, when_full_, sim::Asked::For::stages);
}

Job StepPlayer::decode_job(std::int64_t sequences, std::int64_t context) {
    workload_.mode = Mode::decode;
    workload_.stack.cuda_graphs = scenario_.workload.stack.cuda_graphs;
    workload_.sequence = context;
    workload_.serving.context = context;
    workload_.global_batch = replicas_ * sequences;
    return job_of(scenario_, workload_, replayed_, when_full_, sim::Asked::For::stages);
}

std::int64_t StepPlayer::layers() {
    const Job job = decode_job(parts(), 1);
    const graph::Graph& graph = stages_.build(job);
    std::int64_t layers = 0;
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        for (const std::int64_t count : graph.programs[graph.program_of[stage]].counts) layers += count;
    }
    return std::max<std::int64_t>(1, layers);
}

/// Other engines call a kernel for each kind, and so does vLLM for latent attention.
double StepPlayer::mixed_rows() {
    const double rows = scenario_.system.cluster.device.attention.mixed_rows;
    if (rows == 0.0 || scenario_.workload.engine.scheduler != graph::Scheduler::vllm) return 0.0;
    const Job job = decode_job(parts(), 1);
    const graph::Graph& graph = stages_.build(job);
    const bool is_latent = std::ranges::any_of(graph.works, [](const graph::Work& work) {
        const auto* compute = std::get_if<graph::Compute>(&work);
        return compute != nullptr && compute->op_class == graph::OpClass::attention &&
               model::is_latent(compute->gemm);
    });
    return is_latent ? 0.0 : rows;
}

StepPlayer::AdapterCost StepPlayer::adapter_cost() {
    constexpr double number = 2.0;  // bytes
    const auto rank = static_cast<double>(scenario_.workload.engine.lora_rank);
    const Job job = prompt_job(prompt_unit());
    const graph::Graph& graph = stages_.build(job);
    AdapterCost cost;
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        double memory = 0.0;
        graph::for_each_played_work(graph, stage, [&](const graph::Work& work, double times) {
            const auto* compute = std::get_if<graph::Compute>(&work);
            if (compute == nullptr || compute->op_class != graph::OpClass::gemm) return;
            // What is run once is the head.
            if (is_batch_of_products(*compute) || times <= 1.0) return;
            const auto& [batch, m, n, k] = compute->gemm;
            memory += times * rank * (k + n) * number;
            cost.launches += 2.0 * times;
            // Reads the input and writes r numbers, then reads them, and adds to the output.
            cost.token_bytes += times * (k + 2.0 * rank + 2.0 * n) * number;
        });
        cost.memory = std::max(cost.memory, memory);
        cost.weight_bytes += memory;
    }
    return cost;
}

StepPlayer::Step StepPlayer::play(const Job& job) {
    const Cost::Costed costed = stages_.cost(job, stages_.build(job));
    const sim::Result result = play_step(job, *costed.durations, stages_);
    const sim::Parts& last = result.stages[result.last_stage];
    const double around = time_around_products(*costed.graph, workload_.engine);
    Step step{result.iteration_time + around,
              last.compute[static_cast<std::size_t>(graph::OpClass::attention)], 0.0};
    if (job.workload.mode != Mode::prefill) return step;
    step.launches = time_of(*costed.graph, *costed.durations, is_launch) /
                    static_cast<double>(costed.graph->schedule.stages);
    if (workload_.engine.attention_dp > 1) step.shared = time_of(*costed.graph, *costed.durations, is_shared);
    return step;
}

double StepPlayer::Half::both() const {
    const double one_way = 0.5 * exchange;
    return 2.0 * (std::max(compute, one_way) + std::max(experts, one_way));
}

template <class MakeJob>
StepPlayer::Half StepPlayer::half(MakeJob job) {
    const double exposed = play(job()).time;
    const double stated = std::exchange(workload_.stack.exposed_ep, 0.0);
    const Job hidden = job();
    const Step step = play(hidden);
    const Cost::Costed costed = stages_.cost(hidden, stages_.build(hidden));
    const double experts = time_of(*costed.graph, *costed.durations, is_expert_product);
    workload_.stack.exposed_ep = stated;
    return {step.time - experts, experts, exposed - step.time, step.attention};
}

StepPlayer::Step StepPlayer::prompt(std::int64_t tokens) {
    Step step = play(prompt_job(tokens));
    // A prompt passes through the stages one after the other; the parts are those of a single stage.
    step.attention *= static_cast<double>(workload_.layout.pp);
    const std::int64_t unit = prompt_unit();
    if (!in_halves(tokens / unit)) return step;
    Half one = half([&] { return prompt_job((tokens / unit + 1) / 2 * unit); });
    // The second half of a prompt attends to the first as well: half of the whole on average.
    one.compute += 0.5 * step.attention - one.attention;
    step.time = one.both();
    // What does not depend on this rank's own computing.
    if (workload_.engine.attention_dp > 1) step.shared = step.time - 2.0 * one.compute;
    return step;
}

StepPlayer::Step StepPlayer::decode(std::int64_t sequences, std::int64_t context) {
    if (!in_halves(sequences)) return play(decode_job(sequences, context));
    const Half one = half([&] { return decode_job((sequences + 1) / 2, context); });
    return {one.both(), 2.0 * one.attention, 0.0};
}

}  // namespace dse::eval
