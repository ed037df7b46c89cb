#pragma once

#include "dse/eval/machine.hpp"
#include "dse/sim/durations.hpp"
#include "dse/workload/graph.hpp"

namespace dse::eval {

/// What every work, message and barrier of a graph takes on a machine, into `durations`, whose memory is
/// reused.
///
/// A collective's exposed share: over tp, cp or ep its consumer sees the result after that share of its time
/// (the rest overlaps with it chunk by chunk); over dp it keeps the compute stream busy for that share.
/// \throws ModelError where a cost model refuses a work
void fill_durations(const workload::Graph& graph, const Machine& machine, const hardware::HostSpec& host,
                    sim::Durations& durations);

}  // namespace dse::eval
