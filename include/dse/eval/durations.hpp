#pragma once

#include <span>

#include "dse/eval/machine.hpp"
#include "dse/graph/class_split.hpp"
#include "dse/hardware/straggler_spec.hpp"
#include "dse/sim/durations.hpp"

namespace dse::eval {

/// What every work, message and barrier of a graph takes on a machine, into `durations`, whose memory is
/// reused.
///
/// A collective's exposed share: over tp, cp or ep its consumer sees the result after that share of its time
/// (the rest overlaps with it chunk by chunk); over dp it keeps the compute stream busy for that share.
/// What of a collective or a copy is not exposed runs beside kernels and slows them: under the rule `fixed`
/// of the device's overlap it holds the compute stream, from its start on, for the share of its time that
/// they lose. \throws ModelError where a cost model refuses a work
void fill_durations(const graph::Graph& graph, const Machine& machine, const hardware::ClusterSpec& cluster,
                    sim::Durations& durations);

/// What the kernels of a class of devices take where each stage has one class, after fill_durations.
/// \param class_of_work  by WorkId of the graph (graph::ClassSplit)
void fill_stage_classes(const graph::Graph& graph, std::span<const graph::DeviceClass> class_of_work,
                        const Machine& machine, sim::Durations& durations);

/// What kernels take where ranks differ within a stage, after the above: on slow devices a multiple of what
/// they take on others, and where `class_of_rank` says so (empty: nowhere) what a class of devices takes.
void fill_kernel_tables(const graph::Graph& graph, const hardware::StragglerSpec& stragglers,
                        std::span<const graph::DeviceClass> class_of_rank, const Machine& machine,
                        sim::Durations& durations);

}  // namespace dse::eval
