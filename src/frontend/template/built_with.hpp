#pragma once

#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::frontend {

// What a structure is built with, and what its key is made of.

/// The software stack of a workload in its mode, with the queues of a layout.
inline graph::SoftwareStack stack_built_with(const graph::WorkloadSpec& workload,
                                             const graph::ResolvedLayout& layout) {
    graph::SoftwareStack stack =
        is_inference(workload.mode) ? forward_part(workload.stack, workload.mode) : workload.stack;
    stack.queues = layout.queues;
    return stack;
}

/// Passes of inference have no backward part to schedule.
inline graph::ScheduleKind schedule_built_with(const graph::WorkloadSpec& workload) {
    return is_inference(workload.mode) ? graph::ScheduleKind::one_f_one_b : workload.layout.schedule;
}

}  // namespace dse::frontend
