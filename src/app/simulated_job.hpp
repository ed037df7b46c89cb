#pragma once

#include "app/trace_arguments.hpp"
#include "dse/base/units.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app {

/// Time at which the last rank of a job ends if its traces are simulated on a cluster (network
/// latency_bandwidth).
/// \throws InputError, ModelError if they cannot be simulated there
Seconds simulated_job(const LoadedTraces& traces, const hardware::ClusterSpec& cluster);

}  // namespace dse::app
