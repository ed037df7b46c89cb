#include "number_binding.hpp"

#include <cmath>

#include "dse/graph/serving.hpp"

namespace dse::frontend {

using graph::MeshAxis;
using graph::ResolvedLayout;
using graph::SoftwareStack;
using graph::WorkloadSpec;

namespace {

Binding binding_of(const WorkloadSpec& workload, const ResolvedLayout& layout) {
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
            stack.master_precision,
            stack.optimizer_precision,
            stack.primary_weights,
            stack.gather_casts,
            stack.keep_weight_casts,
            stack.exposed_tp,
            stack.exposed_cp,
            stack.exposed_ep,
            stack.exposed_dp,
            stack.exposed_pp,
            workload.routing,
            static_cast<double>(cache.context),
            static_cast<double>(cache.cached),
            inference ? static_cast<double>(workload.global_batch) : 0.0,
            workload.serving.kv_cache_precision};
}

/// Sets the numbers that do not depend on the model.
void set_layout(const WorkloadSpec& workload, const ResolvedLayout& layout, Numbers& numbers) {
    const SoftwareStack& stack = workload.stack;
    numbers.mesh = layout.mesh;
    numbers.exposed_tp = stack.exposed_tp;
    numbers.exposed_cp = stack.exposed_cp;
    numbers.exposed_ep = stack.exposed_ep;
    numbers.exposed_dp = stack.exposed_dp;
    numbers.exposed_pp = stack.exposed_pp;
    numbers.shares_sequences = is_inference(workload.mode);
    if (is_inference(workload.mode)) {
        set_precisions(stack, workload.serving.kv_cache_precision, numbers);
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
    if (bound.microbatches == layout.microbatches && bound.schedule_kind == kind) return;
    bound.microbatches = 0;  // stays invalid if there is no such schedule
    graph::make_schedule(kind, layout.stages, layout.microbatches, layout.chunks, schedule);
    schedule.identity = graph::identity_of(kind, schedule);
    bound.microbatches = layout.microbatches;
    bound.schedule_kind = kind;
}

void NumberBinding::set_symbols(const ModelBlocks& model, const ResolvedLayout& layout,
                                const BoundStructure& bound, const Binding& binding) {
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
    bound.binding = Binding{};  // stays invalid if a dimension does not divide
    if (bound.has_experts) require_equal_stages(layout.mesh);

    set_layout(workload, layout, numbers_);
    set_symbols(model, layout, bound, binding);
    const Dimensions& dimensions = model.dimensions();
    dims_.resize(dimensions.size());
    dimensions.evaluate(symbols_, dims_);
    loads_.evaluate(workload.routing, dimensions, dims_, numbers_);
    if (is_inference(workload.mode)) ExpertLoads::evaluate_touched(dimensions, dims_, numbers_);
    evaluate_extents(bound.structure.extents, dims_, dimensions, numbers_);
    graph::Graph& graph = bound.structure.graph;
    graph.mesh = layout.mesh;
    for (std::size_t i = 0; i < graph.works.size(); ++i)
        evaluate(bound.structure.works[i], numbers_, graph.works[i]);
    for (std::size_t i = 0; i < graph.buffers.size(); ++i) {
        graph.buffers[i] = {bound.structure.buffers[i].kind,
                            Bytes{evaluate(bound.structure.buffers[i].size, numbers_)}};
    }
    graph.revision = ++revision;
    bound.binding = binding;
}

}  // namespace dse::frontend
