#include "dse/hardware/device_class_spec.hpp"

namespace dse::hardware {

Problems problems_of(const DeviceClassSpec& device_class) {
    Problems problems = problems_of(device_class.ranks);
    problems.nest("device", problems_of(device_class.device));
    return problems;
}

}  // namespace dse::hardware
