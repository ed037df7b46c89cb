#include "dse/model/cost.hpp"

#include <algorithm>
#include <limits>

namespace dse::model {

namespace {

bool all_have_a_price(const hardware::SystemSpec& system) {
    const auto has = [](const hardware::DeviceSpec& device) { return device.price.value() > 0.0; };
    return has(system.cluster.device) &&
           std::ranges::all_of(system.device_classes, has, &hardware::DeviceClassSpec::device);
}

}  // namespace

Dollars cost(const hardware::SystemSpec& system, Seconds duration, Joules energy) {
    const hardware::ClusterSpec& cluster = system.cluster;
    const DollarsPerSecond rent = hardware::mean_over_devices(system, &hardware::DeviceSpec::price) +
                                  hardware::network_rent(cluster.network, cluster.devices_per_node);
    const hardware::DollarsPerJoule electricity = cluster.facility.electricity_price;
    const bool pays_electricity = electricity.value() > 0.0;
    if (!all_have_a_price(system) && !pays_electricity)
        return Dollars{std::numeric_limits<double>::quiet_NaN()};
    const Dollars devices = rent * duration * static_cast<double>(system.devices);
    return pays_electricity ? devices + energy * electricity : devices;
}

}  // namespace dse::model
