#include "dse/hardware/device/slowest_device.hpp"

#include "dse/base/normal_distribution.hpp"

namespace dse::hardware {

DeviceSpec slowest_of(DeviceSpec device, std::int64_t devices) {
    device.matmul.in_training /= 1.0 + device.matmul.variation * mean_of_largest(devices);
    return device;
}

}  // namespace dse::hardware
