#pragma once

#include <cstdint>
#include <vector>

#include "dse/hardware/system_spec.hpp"

namespace dse::hardware {

/// Number of scale-up domains that a job of `devices` >= 1 uses.
std::int64_t domains_of(const SystemSpec& system, std::int64_t devices);

/// The expected slowest device of each class of a system: of the cluster's device first, then of
/// SystemSpec::device_classes.
///
/// A class waits for the slowest of its own devices, and for those of other classes that may be the slowest
/// of both: slower on average, by no more than the slowest of the whole job is expected to deviate from the
/// mean. Beyond this, the job waits for the other class anyway. Two classes of equal devices are therefore
/// one, and with a faster class a job never waits longer.
/// \param system   valid
/// \param in_step  devices that wait for each other in every step, at most those of the system
std::vector<DeviceSpec> slowest_by_class(const SystemSpec& system, std::int64_t in_step);

}  // namespace dse::hardware
