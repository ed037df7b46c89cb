#pragma once

#include "dse/eval/machine.hpp"
#include "dse/hardware/straggler_spec.hpp"
#include "dse/sim/durations.hpp"
#include "dse/workload/graph.hpp"

namespace dse::eval {

/// What every work, message and barrier of a graph takes on a machine, into `durations`, whose memory is
/// reused.
///
/// A collective's exposed share: over tp, cp or ep its consumer sees the result after that share of its time
/// (the rest overlaps with it chunk by chunk); over dp it keeps the compute stream busy for that share.
/// What of a collective or a copy is not exposed runs beside kernels and slows them: under the rule `fixed`
/// of the device's overlap it holds the compute stream, from its start on, for the share of its time that
/// they lose. \throws ModelError where a cost model refuses a work
void fill_durations(const workload::Graph& graph, const Machine& machine,
                    const hardware::ClusterSpec& cluster, sim::Durations& durations);

/// What kernels take on a job's slow devices, after fill_durations: of the others' times, as a whole multiple
/// of what those are.
void fill_stragglers(const workload::Graph& graph, const hardware::StragglerSpec& stragglers,
                     const Machine& machine, sim::Durations& durations);

}  // namespace dse::eval
