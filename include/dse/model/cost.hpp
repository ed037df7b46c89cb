#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::model {

/// Money for an iteration of the whole job: rent of the devices, that of the network where it has prices of
/// its own, and electricity where the rents do not cover it. \param energy  of the job; only read where
/// electricity is paid for \returns NaN where neither a rent of the devices nor a price of electricity is
/// stated
Dollars cost(const hardware::SystemSpec& system, Seconds duration, Joules energy);

}  // namespace dse::model
