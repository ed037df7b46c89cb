#include "dse/hardware/device/slowest_device.hpp"

#include "dse/base/normal_distribution.hpp"

namespace dse::hardware {

DeviceSpec slowest_of(DeviceSpec device, const Together& together) {
    MatmulSpec& matmul = device.matmul;
    matmul.in_training /= 1.0 + matmul.variation * mean_of_largest(together.devices) +
                          matmul.domain_variation * mean_of_largest(together.domains);
    return device;
}

}  // namespace dse::hardware
