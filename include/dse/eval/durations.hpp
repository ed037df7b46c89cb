#pragma once

#include <span>

#include "dse/eval/machine.hpp"
#include "dse/graph/class_split.hpp"
#include "dse/hardware/straggler_spec.hpp"
#include "dse/sim/durations.hpp"

namespace dse::eval {

/// Computes the duration of every work, message and barrier of a graph on a machine. Reuses the memory of
/// `durations`.
///
/// Exposed share of a collective: over tp, cp or ep, the result is visible to its consumer after that share
/// of the collective's time (the rest overlaps with the consumer chunk by chunk); over dp, the collective
/// blocks the compute stream for that share. Kernels slow down beside a hidden collective: with
/// overlap rule `fixed`, they lose a share of its time (sim::NodeTime::lost), except beside a collective that
/// is exposed in part, whose share was measured beside them (graph::Collective::slows_kernels).
///
/// \param like  durations of the same graph on a machine with the same kernels (have_same_kernels), whose
///              times are taken where no network is involved; may be `durations` itself; nullptr: none
/// \throws ModelError if a cost model rejects a work
void fill_durations(const graph::Graph& graph, const Machine& machine, const hardware::ClusterSpec& cluster,
                    sim::Durations& durations, const sim::Durations* like = nullptr);

/// Sets the kernel durations per device class if each stage has devices of one class. Call after
/// fill_durations().
/// \param class_of_work  by WorkId of the graph (graph::ClassSplit)
void fill_stage_classes(const graph::Graph& graph, std::span<const graph::DeviceClass> class_of_work,
                        const Machine& machine, sim::Durations& durations);

/// Sets the kernel tables if ranks differ within a stage. Call after the functions above. On slow devices
/// (stragglers), kernels take a multiple of their usual duration.
/// \param class_of_rank  device class of each rank; empty: all ranks have the usual device
void fill_kernel_tables(const graph::Graph& graph, const hardware::StragglerSpec& stragglers,
                        std::span<const graph::DeviceClass> class_of_rank, const Machine& machine,
                        sim::Durations& durations);

}  // namespace dse::eval
