#pragma once

#include <string>

#include "dse/hardware/device/device_spec.hpp"

namespace dse::hardware {

/// What to know of a device that states no sustained rate of matrix products: they run at its peak, and it
/// looks faster beside devices that were measured than it is; or of one whose sustained rate is not that of a
/// chip with its peak. Empty for others.
std::string rate_note(const DeviceSpec& device);

/// Likewise of a device that states no latency of kernels, which is most of a short step of inference.
std::string latency_note(const DeviceSpec& device);

}  // namespace dse::hardware
