#pragma once

#include "dse/hardware/network/network_spec.hpp"
#include "dse/netsim/flow/traffic.hpp"

namespace dse::netsim::flow {

/// The work of a group as the communication library does it.
/// \param size, launch  of the whole, > 0 and >= 0
/// \param share  part of it: its bytes, launch and latencies
inline Job library_job(const hardware::CollectiveSpec& library, const CollectivePlan& plan, Bytes size,
                       Seconds launch, double share = 1.0) {
    Job job;
    job.plan = &plan;
    job.size = size * share;
    job.chunks = library.chunks;
    job.launch = launch * share;
    job.latency_share = share;
    return job;
}

}  // namespace dse::netsim::flow
