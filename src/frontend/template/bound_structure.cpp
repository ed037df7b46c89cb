#include "bound_structure.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "frontend/template/layer_partition.hpp"
#include "layer_policy.hpp"
#include "layout_checks.hpp"
#include "routed_tokens.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using graph::ResolvedLayout;
using graph::SoftwareStack;
using graph::WorkloadSpec;

/// Axes with more than one device; expert axes only if the model has experts.
AxisSet active_axes(const graph::Mesh& mesh, bool has_experts) {
    AxisSet active;
    for (const MeshAxis axis : mesh.order) {
        if (mesh.degree(axis) > 1) active = active | axis;
    }
    const AxisSet dense = graph::attention_axes | MeshAxis::replica;
    return active & (has_experts ? dense | graph::expert_axes : dense);
}

bool has_experts(const std::vector<Block>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
        return std::any_of(block.operations.begin(), block.operations.end(),
                           [](const Operation& operation) { return operation.refolding.has_value(); });
    });
}

LayerShares shares_of(const WorkloadSpec& workload) {
    return {workload.layout.embedding_layers, workload.layout.head_layers,
            parse_stage_layers(workload.stage_layers)};
}

/// The message of the first error, without its location, which differs between machines.
std::string first_error(const config::Diagnostics& diagnostics) {
    const auto& all = diagnostics.all();
    return std::find_if(all.begin(), all.end(),
                        [](const auto& each) { return each.severity == config::Severity::error; })
        ->message;
}

}  // namespace

BoundStructure make_structure(ModelBlocks& model, const WorkloadSpec& workload,
                              const ResolvedLayout& layout) {
    const bool inference = is_inference(workload.mode);
    SoftwareStack stack = inference ? forward_part(workload.stack) : workload.stack;
    stack.queues = layout.queues;
    const graph::ScheduleKind schedule =
        inference ? graph::ScheduleKind::one_f_one_b : workload.layout.schedule;
    const graph::Placement placement = graph::placement_of(schedule);
    std::vector<StageUnits> stages =
        partition_layers(model.rows(), layout.stages, layout.chunks, placement, shares_of(workload));
    // One token per sequence cannot be split.
    const bool sequence_parallel = workload.layout.sequence_parallel && workload.mode != graph::Mode::decode;
    config::Diagnostics diagnostics;
    std::vector<Block> blocks =
        model.make({sequence_parallel, stack, workload.mode, workload.recompute_tensors}, diagnostics);
    // A template written for training may not support inference.
    if (inference && !diagnostics.ok())
        throw ModelError(
            fmt::format("model '{}' cannot be served: {}", model.name(), first_error(diagnostics)));
    diagnostics.throw_if_any();
    if (inference) require_decoder(blocks, model.name());
    if (!inference) require_known_tensors(workload.recompute_tensors, blocks);
    apply_layer_policies(stack, blocks, stages);
    const bool routes = has_experts(blocks);
    if (!routes && layout.mesh.degree(MeshAxis::expert) > 1) {
        throw ModelError(fmt::format("model '{}' has no experts for ep {} to share", model.name(),
                                     layout.mesh.degree(MeshAxis::expert)));
    }
    require_split(blocks, layout.mesh, model.name());
    require_one_copy(blocks, layout.mesh, model.name());
    if (stages.size() * stages.front().size() > 1) model.require_one_boundary(blocks);
    const AxisSet active = active_axes(layout.mesh, routes);
    const RoutedTokens routed = routed_tokens(workload, layout);
    std::vector<Sharding> shardings;
    std::vector<BlockPlans> plans;
    Extents extents;
    for (const Block& block : blocks) {
        shardings.push_back(shard(block, active, diagnostics, routed));
        diagnostics.throw_if_any();
        const auto plan = inference ? plan_forward : plan_passes;
        plans.push_back(plan(block, shardings.back(), stack, extents, layout.mesh.degree(MeshAxis::context)));
    }
    const StructureOptions options{
        active,
        layout.stages,
        layout.chunks,
        stack,
        graph::splits_backward(schedule),
        placement,
        inference,
        layout.stages > 1 && workload.mode == graph::Mode::decode ? 2 * graph::decode_steps : 1};
    return {build_structure(blocks, shardings, plans, std::move(extents), stages, options), routes,
            model.use_sequence(blocks), model.replicable_symbols(blocks)};
}

}  // namespace dse::frontend
