#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/host_spec.hpp"

namespace dse::model {

/// Time to move data between a device and its share of host memory.
/// \throws ModelError when the machine has no such path
Seconds copy_time(const graph::Copy& copy, const hardware::HostSpec& host);

/// Time of an optimizer's step on the host: bound by its memory, as every state is read and written once (Ren
/// et al. 2021, arXiv 2101.06840, section 5.1). \throws ModelError when the machine does not say how fast
/// that memory is
Seconds update_time(const graph::HostUpdate& update, const hardware::HostSpec& host);

}  // namespace dse::model
