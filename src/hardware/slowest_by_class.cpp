#include "dse/hardware/slowest_by_class.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/base/normal_distribution.hpp"
#include "dse/hardware/device/slowest_device.hpp"

namespace dse::hardware {
namespace {

/// Rate of a large product in a training run, in the 16-bit format that the device has.
FlopPerSecond product_rate(const DeviceSpec& device) {
    const auto sustained = [&](FlopPerSecond PrecisionRates::*format) {
        return device.matmul.largest(device.matmul.sustained.*format, device.peak.*format);
    };
    const FlopPerSecond rate = std::max(sustained(&PrecisionRates::bf16), sustained(&PrecisionRates::fp16));
    const FlopPerSecond largest = rate > FlopPerSecond{} ? rate : sustained(&PrecisionRates::fp32);
    return largest * device.efficiency.gemm * device.matmul.in_training;
}

struct Class {
    const DeviceSpec* device;
    std::int64_t number;
    FlopPerSecond rate;
};

std::vector<Class> classes_of(const SystemSpec& system, std::int64_t in_step) {
    std::vector<Class> classes;
    std::int64_t usual = system.devices;
    const auto add = [&](const DeviceSpec& device, std::int64_t number) {
        classes.push_back({&device, std::min(number, in_step), product_rate(device)});
    };
    add(system.cluster.device, 0);
    for (const DeviceClassSpec& other : system.device_classes) {
        add(other.device, other.ranks.number);
        usual -= other.ranks.number;
    }
    classes.front().number = std::min(usual, in_step);
    return classes;
}

/// Number of devices of which a class waits for the slowest.
std::int64_t waited_for(const Class& own, const std::vector<Class>& classes, std::int64_t in_step) {
    const double reach = 1.0 + own.device->matmul.variation * mean_of_largest(in_step);
    std::int64_t devices = 0;
    for (const Class& other : classes) {
        if (other.rate <= own.rate && other.rate * reach >= own.rate) devices += other.number;
    }
    return std::clamp<std::int64_t>(devices, 1, in_step);
}

}  // namespace

std::int64_t domains_of(const SystemSpec& system, std::int64_t devices) {
    DSE_EXPECT(devices >= 1);
    const std::int64_t in_one = system.cluster.network.scale_up.occupied(devices);
    return (devices + in_one - 1) / in_one;
}

std::vector<DeviceSpec> slowest_by_class(const SystemSpec& system, std::int64_t in_step) {
    DSE_EXPECT(in_step >= 1);
    const std::vector<Class> classes = classes_of(system, in_step);
    const std::int64_t domains = domains_of(system, in_step);
    std::vector<DeviceSpec> slowest;
    slowest.reserve(classes.size());
    for (const Class& each : classes) {
        const std::int64_t devices = waited_for(each, classes, in_step);
        slowest.push_back(slowest_of(*each.device, {devices, std::min(devices, domains)}));
    }
    return slowest;
}

}  // namespace dse::hardware
