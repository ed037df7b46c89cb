#pragma once

#include "app/trace_arguments.hpp"
#include "dse/base/units.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app {

/// Whether a finding prevents the simulation, or makes its result meaningless. Cycles do not: they are
/// searched again among the dependencies that are simulated.
bool stops_play(const trace::chakra::Finding& finding);

/// Time at which the last rank of a job ends if its traces are simulated on a cluster (network
/// latency_bandwidth).
/// \pre no finding in the traces stops play
/// \throws InputError, ModelError if they cannot be simulated there
Seconds simulated_job(const LoadedTraces& traces, const hardware::ClusterSpec& cluster);

}  // namespace dse::app
