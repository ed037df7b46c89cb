#include "bound_structure.hpp"

#include "built_with.hpp"
#include "frontend/template/layer_partition.hpp"

namespace dse::frontend {
namespace {

using graph::ResolvedLayout;
using graph::SoftwareStack;
using graph::WorkloadSpec;

LayerShares shares_of(const WorkloadSpec& workload) {
    return {workload.layout.embedding_layers, workload.layout.head_layers,
            parse_stage_layers(workload.stage_layers)};
}

}  // namespace

BoundStructure make_structure(ModelBlocks& model, BlockPlanner& planner, const WorkloadSpec& workload,
                              const ResolvedLayout& layout) {
    const bool inference = is_inference(workload.mode);
    const SoftwareStack stack = stack_built_with(workload, layout);
    const graph::ScheduleKind schedule = schedule_built_with(workload);
    const graph::Placement placement = graph::placement_of(schedule);
    std::vector<StageUnits> stages =
        partition_layers(model.rows(), layout.stages, layout.chunks, placement, shares_of(workload));
    const PlannedBlocks& planned = planner.plan(workload, layout, stack, stages);
    const StructureOptions options{
        planned.active,
        layout.stages,
        layout.chunks,
        stack,
        graph::splits_backward(schedule),
        placement,
        inference,
        layout.stages > 1 && workload.mode == graph::Mode::decode ? 2 * graph::decode_steps : 1,
        !inference && workload.adapter.on()};
    return {
        build_structure(planned.blocks, planned.shardings, planned.plans, planned.extents, stages, options),
        planned.routes, model.use_sequence(planned.blocks), model.replicable_symbols(planned.blocks)};
}

}  // namespace dse::frontend
