#include "number_binding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "dse/graph/serving.hpp"

namespace dse::frontend {

using graph::MeshAxis;
using graph::ResolvedLayout;
using graph::SoftwareStack;
using graph::WorkloadSpec;

namespace {

SizeBinding size_binding_of(const WorkloadSpec& workload, const ResolvedLayout& layout) {
    const SoftwareStack& stack = workload.stack;
    const bool inference = is_inference(workload.mode);
    const graph::CacheExtent cache =
        inference ? graph::cache_extent(workload.mode, workload.serving, workload.sequence,
                                        layout.mesh.degree(MeshAxis::context))
                  : graph::CacheExtent{};
    return {static_cast<double>(layout.microbatch * layout.mesh.degree(MeshAxis::data)),
            workload.mode == graph::Mode::decode ? 1.0 : static_cast<double>(workload.sequence),
            layout.mesh.size,
            layout.mesh.order,
            stack.precision,
            stack.gradient_precision,
            stack.reduction_precision,
            stack.master_precision,
            stack.optimizer_precision,
            stack.primary_weights,
            stack.gather_casts,
            stack.keep_weight_casts,
            workload.routing,
            static_cast<double>(cache.context),
            static_cast<double>(cache.cached),
            inference ? static_cast<double>(workload.global_batch) : 0.0,
            workload.serving.kv_cache_precision,
            workload.serving.state_precision};
}

/// Share of passes that have no partner. Without a pipeline, of n microbatches the first forward and the last
/// backward pass; with p stages and v chunks, stage r starts with 2 (p - r - 1) + (v - 1) p + 1 forward
/// passes of n v, on average p v, and ends with as many backward passes (Megatron-Core 0.16 to 0.19,
/// combined_1f1b.py, schedules.py).
double unpaired_ep(const WorkloadSpec& workload, const ResolvedLayout& layout) {
    if (!workload.stack.pairs_microbatches || is_inference(workload.mode)) return 0.0;
    return std::min(1.0, static_cast<double>(layout.stages) / static_cast<double>(layout.microbatches));
}

Binding binding_of(const WorkloadSpec& workload, const ResolvedLayout& layout) {
    const SoftwareStack& stack = workload.stack;
    return {size_binding_of(workload, layout), stack.exposed_tp, stack.exposed_cp, stack.exposed_ep,
            unpaired_ep(workload, layout),     stack.exposed_dp, stack.exposed_pp};
}

bool depends_on_exposure(const WorkFormula& formula) {
    return std::holds_alternative<CollectiveFormula>(formula) ||
           std::holds_alternative<TransferFormula>(formula);
}

/// What does not depend on the model.
void set_layout(const WorkloadSpec& workload, const ResolvedLayout& layout, Numbers& numbers) {
    const SoftwareStack& stack = workload.stack;
    numbers.mesh = layout.mesh;
    numbers.exposed_tp = stack.exposed_tp;
    numbers.exposed_cp = stack.exposed_cp;
    numbers.exposed_ep = stack.exposed_ep;
    numbers.unpaired_ep = unpaired_ep(workload, layout);
    numbers.exposed_dp = stack.exposed_dp;
    numbers.exposed_pp = stack.exposed_pp;
    numbers.shares_sequences = is_inference(workload.mode);
    if (is_inference(workload.mode)) {
        set_precisions(stack, workload.serving, numbers);
    } else {
        set_precisions(stack, numbers);
    }
}

}  // namespace

void NumberBinding::bind_schedule(const WorkloadSpec& workload, const ResolvedLayout& layout,
                                  BoundStructure& bound) {
    const graph::ScheduleKind kind = workload.layout.schedule;
    graph::PipelineSchedule& schedule = bound.structure.graph.schedule;
    if (is_inference(workload.mode)) {
        if (bound.microbatches == layout.microbatches && bound.steps == layout.steps) return;
        graph::make_forward_schedule(layout.stages, layout.microbatches, layout.steps, schedule);
        bound.microbatches = layout.microbatches;
        bound.steps = layout.steps;
        return;
    }
    if (bound.microbatches != layout.microbatches || bound.schedule_kind != kind) {
        bound.microbatches = 0;  // stays invalid if there is no such schedule
        if (!take_latest_schedule(workload, layout, bound)) {
            graph::make_schedule(kind, layout.stages, layout.microbatches, layout.chunks, schedule);
            schedule.identity = graph::identity_of(kind, schedule);
        }
        bound.microbatches = layout.microbatches;
        bound.schedule_kind = kind;
    }
    latest_ = &bound;
}

/// Neighbours differ in what changes the structure and not the schedule, whose lists may be long.
bool NumberBinding::take_latest_schedule(const WorkloadSpec& workload, const ResolvedLayout& layout,
                                         BoundStructure& bound) {
    if (latest_ == nullptr || latest_ == &bound) return false;
    graph::PipelineSchedule& schedule = latest_->structure.graph.schedule;
    if (latest_->microbatches != layout.microbatches || latest_->schedule_kind != workload.layout.schedule ||
        schedule.stages != layout.stages || schedule.chunks != layout.chunks) {
        return false;
    }
    std::swap(bound.structure.graph.schedule, schedule);
    latest_->microbatches = 0;
    return true;
}

void NumberBinding::set_symbols(const ModelBlocks& model, const ResolvedLayout& layout,
                                const BoundStructure& bound, const SizeBinding& binding) {
    symbols_ = model.sample();
    symbols_[Dimensions::context_slot] = binding.context;
    symbols_[Dimensions::cached_slot] = binding.cached;
    symbols_[Dimensions::served_slot] = binding.served;
    symbols_[Dimensions::batch_slot] = binding.batch;
    symbols_[Dimensions::sequence_slot] = binding.sequence;
    // If there are fewer key-value heads than devices that split them, each device has a copy of one head.
    const auto tp = static_cast<double>(layout.mesh.degree(MeshAxis::tensor));
    for (const std::size_t slot : bound.replicable) {
        double& heads = symbols_[slot];
        if (tp > heads && std::fmod(tp, heads) == 0.0) heads = tp;
    }
}

void NumberBinding::bind_numbers(const ModelBlocks& model, const WorkloadSpec& workload,
                                 const ResolvedLayout& layout, std::uint64_t& revision,
                                 BoundStructure& bound) {
    const Binding binding = binding_of(workload, layout);
    if (bound.binding == binding) return;
    const bool keeps_sizes = bound.binding.sizes == binding.sizes;
    bound.binding = Binding{};  // stays invalid if a dimension does not divide
    if (bound.has_experts) require_equal_stages(layout.mesh);

    set_layout(workload, layout, numbers_);
    set_symbols(model, layout, bound, binding.sizes);
    const Dimensions& dimensions = model.dimensions();
    dims_.resize(dimensions.size());
    dimensions.evaluate(symbols_, dims_);
    loads_.evaluate(workload.routing, dimensions, dims_, numbers_);
    if (is_inference(workload.mode))
        ExpertLoads::evaluate_touched(workload.routing, tiles_of(forward_part(workload.stack, workload.mode)),
                                      dimensions, dims_, numbers_);
    evaluate_extents(bound.structure.extents, dims_, dimensions, numbers_);
    evaluate_graph(bound.structure, keeps_sizes);
    bound.structure.graph.mesh = layout.mesh;
    bound.structure.graph.revision = ++revision;
    bound.binding = binding;
}

/// \param keeps_sizes  only what is exposed has changed
void NumberBinding::evaluate_graph(Structure& structure, bool keeps_sizes) const {
    graph::Graph& graph = structure.graph;
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        if (keeps_sizes && !depends_on_exposure(structure.works[i])) continue;
        evaluate(structure.works[i], numbers_, graph.works[i]);
    }
    if (keeps_sizes) return;
    for (std::size_t i = 0; i < graph.buffers.size(); ++i)
        graph.buffers[i] = {structure.buffers[i].kind, Bytes{evaluate(structure.buffers[i].size, numbers_)}};
}

}  // namespace dse::frontend
