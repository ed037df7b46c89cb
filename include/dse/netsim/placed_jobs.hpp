#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/hardware/network/network_spec.hpp"

namespace dse::netsim {

/// The devices of several jobs on one machine.
struct PlacedJobs {
    std::vector<std::vector<std::int64_t>> devices;  ///< by job, then rank
    std::int64_t machine{0};                         ///< devices of the machine that holds them all
};

/// Places jobs by scale-up domains, on a machine of dimensions by slices of the outermost one, and on wires
/// by single devices.
///
/// `packed`: a job takes the next free devices if they suffice within a domain, otherwise it begins with the
/// next domain. `interleaved`: the jobs take one domain after the other in turn; a domain has one job.
/// \param sizes  devices of each job, >= 1
/// \throws ModelError if a machine of dimensions or wires is too small
PlacedJobs place_jobs(const hardware::NetworkSpec& network, std::span<const std::int64_t> sizes,
                      hardware::Placement placement);

}  // namespace dse::netsim
