#pragma once

#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::frontend {

// What a structure is built with, and what its key is made of.

/// Passes of inference have no backward part to schedule.
inline graph::ScheduleKind schedule_built_with(const graph::WorkloadSpec& workload) {
    return is_inference(workload.mode) ? graph::ScheduleKind::one_f_one_b : workload.layout.schedule;
}

/// Whether ZeRO-3 may keep what lies outside of layers from the beginning of a forward pass to the end of the
/// backward pass, which must follow at once: of several microbatches in flight, each would hold a copy.
/// Gathers at use and parameters that stay gathered know no such order.
inline bool may_gather_root(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout) {
    const graph::SoftwareStack& stack = workload.stack;
    return stack.zero == 3 && stack.prefetch > 0 && stack.reshard_after_forward && layout.stages == 1 &&
           schedule_built_with(workload) == graph::ScheduleKind::one_f_one_b;
}

/// The software stack of a workload in its mode, with the queues of a layout.
inline graph::SoftwareStack stack_built_with(const graph::WorkloadSpec& workload,
                                             const graph::ResolvedLayout& layout) {
    graph::SoftwareStack stack =
        is_inference(workload.mode) ? forward_part(workload.stack, workload.mode) : workload.stack;
    stack.queues = layout.queues;
    if (stack.gather_unit == graph::GatherUnit::layer && !may_gather_root(workload, layout))
        stack.gather_unit = graph::GatherUnit::block;
    return stack;
}

}  // namespace dse::frontend
