#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::model {

/// Cost of an iteration of the whole job: rent of the devices, of the network if it has prices of its own,
/// and electricity if the rents do not cover it.
/// \param energy  energy of the job; used only if electricity has a price
/// \returns NaN if neither a rent of the devices nor a price of electricity is known
Dollars cost(const hardware::SystemSpec& system, Seconds duration, Joules energy);

}  // namespace dse::model
