#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/host_spec.hpp"
#include "dse/workload/work.hpp"

namespace dse::model {

/// Time to move data between a device and its share of host memory.
/// \throws ModelError when the machine has no such path
Seconds copy_time(const workload::Copy& copy, const hardware::HostSpec& host);

}  // namespace dse::model
