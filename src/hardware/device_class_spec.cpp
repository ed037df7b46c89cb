#include "dse/hardware/device_class_spec.hpp"

namespace dse::hardware {

Problems problems_of(const DeviceClassSpec& device_class) {
    Problems problems = out_of_range(device_class);
    problems.nest("device", problems_of(device_class.device));
    return problems;
}

}  // namespace dse::hardware
