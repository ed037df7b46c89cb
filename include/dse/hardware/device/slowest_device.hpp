#pragma once

#include <cstdint>

#include "dse/hardware/device/device_spec.hpp"

namespace dse::hardware {

/// The expected slowest of a number of devices of a kind: its products take 1 + variation * m times as long
/// as on the mean device, where m is the mean of the largest of as many standard normal numbers.
DeviceSpec slowest_of(DeviceSpec device, std::int64_t devices);

}  // namespace dse::hardware
