#include "planned_blocks.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "built_with.hpp"
#include "dse/base/error.hpp"
#include "layer_policy.hpp"
#include "layout_checks.hpp"
#include "routed_tokens.hpp"
#include "split_backward.hpp"

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

bool has_latent_attention(const std::vector<Block>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
        return std::any_of(block.operations.begin(), block.operations.end(),
                           [](const Operation& operation) { return operation.kind == "latent_cache"; });
    });
}

/// Kernels that an engine launches for each kernel of such a model (graph::SoftwareStack::launch_factor).
double launches_in_inference(const SoftwareStack& stack, const PlannedBlocks& planned) {
    if (stack.latent_launch_factor > 0.0 && has_latent_attention(planned.blocks))
        return stack.latent_launch_factor;
    return stack.expert_launch_factor > 0.0 && planned.routes ? stack.expert_launch_factor
                                                              : stack.launch_factor;
}

void plan_blocks(const WorkloadSpec& workload, const ResolvedLayout& layout, const SoftwareStack& stack,
                 PlannedBlocks& planned) {
    planned.active = active_axes(layout.mesh, planned.routes);
    const RoutedTokens routed = routed_tokens(workload, layout);
    const bool inference = is_inference(workload.mode);
    const auto plan_block = inference ? plan_forward : plan_passes;
    SoftwareStack engine = stack;
    if (inference) engine.launch_factor = launches_in_inference(stack, planned);
    const SoftwareStack engine_of_wide = of_wide_layers(engine);
    std::vector<BlockPlans> plans;
    config::Diagnostics diagnostics;
    for (const Block& block : planned.blocks) {
        planned.shardings.push_back(shard(block, planned.active, diagnostics, routed));
        diagnostics.throw_if_any();
        plans.push_back(plan_block(block, planned.shardings.back(), block.wide ? engine_of_wide : engine,
                                   planned.extents, layout.mesh.degree(MeshAxis::context)));
    }
    planned.plans = std::move(plans);
}

/// Adds the parts of the backward passes, which most schedules do not need.
void split_backward_passes(const SoftwareStack& stack, PlannedBlocks& planned) {
    for (std::size_t i = 0; i < planned.plans.size(); ++i) {
        BlockPlans& plans = planned.plans[i];
        std::tie(plans.input, plans.weight) =
            split_backward(plans.backward, planned.blocks[i], stack.keep_activation_casts);
    }
    planned.splits = true;
}

/// The message of the first error, without its location, which differs between machines.
std::string first_error(const config::Diagnostics& diagnostics) {
    const auto& all = diagnostics.all();
    return std::find_if(all.begin(), all.end(),
                        [](const auto& each) { return each.severity == config::Severity::error; })
        ->message;
}

}  // namespace

std::vector<Block> BlockPlanner::make_blocks(const WorkloadSpec& workload, const SoftwareStack& stack) {
    const bool inference = is_inference(workload.mode);
    // One token per sequence cannot be split.
    const bool sequence_parallel = workload.layout.sequence_parallel && workload.mode != graph::Mode::decode;
    config::Diagnostics diagnostics;
    std::vector<Block> blocks =
        model_.make({sequence_parallel, stack, workload.mode, workload.recompute_tensors,
                     inference ? graph::Adapter{} : workload.adapter},
                    diagnostics);
    // A template written for training may not support inference.
    if (inference && !diagnostics.ok())
        throw ModelError(
            fmt::format("model '{}' cannot be served: {}", model_.name(), first_error(diagnostics)));
    diagnostics.throw_if_any();
    require_attention(stack, blocks, model_.name());
    if (inference) require_servable(blocks, workload.mode, model_.name());
    if (!inference) require_recomputable(stack, blocks, model_.name());
    if (!inference) require_known_tensors(workload.recompute_tensors, blocks);
    if (!inference) require_targets(workload.adapter, blocks, model_.name());
    return blocks;
}

void BlockPlanner::require_possible(const PlannedBlocks& planned, const ResolvedLayout& layout,
                                    bool is_divided) {
    if (!planned.routes && layout.mesh.degree(MeshAxis::expert) > 1) {
        throw ModelError(fmt::format("model '{}' has no experts for ep {} to share", model_.name(),
                                     layout.mesh.degree(MeshAxis::expert)));
    }
    require_split(planned.blocks, layout.mesh, model_.name());
    require_one_copy(planned.blocks, layout.mesh, model_.name());
    if (is_divided) model_.require_one_boundary(planned.blocks);
}

const PlannedBlocks& BlockPlanner::plan(const WorkloadSpec& workload, const ResolvedLayout& layout,
                                        const SoftwareStack& stack, std::vector<StageUnits>& stages) {
    constexpr std::size_t most = 256;
    if (known_.size() >= most) forget();
    const bool varies = varies_by_layer(stack);
    PlannedBlocks& planned = varies ? alone_ : known_[StructureKey::of_blocks(workload, layout)];
    if (varies || planned.plans.empty()) planned = PlannedBlocks{make_blocks(workload, stack)};
    if (varies) {
        const std::vector<Block> wide =
            has_wide_layers(stack) ? make_blocks(workload, of_wide_layers(stack)) : std::vector<Block>{};
        apply_layer_policies(stack, planned.blocks, wide, graph::placement_of(schedule_built_with(workload)),
                             stages);
    }
    planned.routes = has_experts(planned.blocks);
    require_possible(planned, layout, stages.size() * stages.front().size() > 1);
    if (planned.plans.empty()) plan_blocks(workload, layout, stack, planned);
    if (graph::splits_backward(schedule_built_with(workload)) && !planned.splits)
        split_backward_passes(stack, planned);
    return planned;
}

}  // namespace dse::frontend
