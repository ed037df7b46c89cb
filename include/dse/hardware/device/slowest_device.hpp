#pragma once

#include <cstdint>

#include "dse/hardware/device/device_spec.hpp"

namespace dse::hardware {

/// Devices that wait for each other in every step, and the scale-up domains that they are in. Both are >= 1.
struct Together {
    std::int64_t devices{1};
    std::int64_t domains{1};
};

/// The expected slowest of devices of a kind: its products take 1 + variation * m(devices) +
/// domain_variation * m(domains) times as long as on the mean device, where m(n) is the mean of the largest
/// of n standard normal numbers.
DeviceSpec slowest_of(DeviceSpec device, const Together& together);

}  // namespace dse::hardware
