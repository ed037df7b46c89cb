#pragma once

#include "app/trace_arguments.hpp"
#include "dse/base/units.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app {

/// When the last rank of a job has ended, its traces played on a cluster (network latency_bandwidth).
/// \throws InputError, ModelError where they cannot be played there
Seconds simulated_job(const LoadedTraces& traces, const hardware::ClusterSpec& cluster);

}  // namespace dse::app
