#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::model {

/// Money for an iteration of the whole job: rent of the devices, and electricity where the rent does not
/// cover it. \param energy  of the job; only read where electricity is paid for \returns NaN where neither a
/// rent nor a price of electricity is stated
Dollars cost(const hardware::SystemSpec& system, Seconds duration, Joules energy);

}  // namespace dse::model
