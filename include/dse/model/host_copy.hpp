#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/host_spec.hpp"

namespace dse::model {

/// Time to transfer data between a device and its share of host memory.
/// \throws ModelError if the machine has no such path
Seconds copy_time(const graph::Copy& copy, const hardware::HostSpec& host);

/// Time of an optimizer step on the host, which is limited by its memory since every state is read and
/// written once (Ren et al. 2021, arXiv 2101.06840, section 5.1).
/// \throws ModelError if the bandwidth of that memory is unknown
Seconds update_time(const graph::HostUpdate& update, const hardware::HostSpec& host);

}  // namespace dse::model
