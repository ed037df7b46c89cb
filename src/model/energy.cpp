#include "dse/model/energy.hpp"

#include <algorithm>
#include <limits>

#include "dse/base/check.hpp"
#include "dse/model/compute/rates.hpp"

namespace dse::model {

Watts power_by_limit(const hardware::DeviceSpec& device, const Activity& activity) {
    DSE_EXPECT(activity.duration > Seconds{});
    const hardware::PowerSpec& power = device.power;
    if (power.tdp <= Watts{}) return Watts{std::numeric_limits<double>::quiet_NaN()};
    // Medians of the chips in hardware/energy/components.yaml, as said in the header.
    constexpr double usual_active_share = 0.38;
    constexpr double memory_share = 0.70;
    constexpr JoulesPerByte usual_link{44e-12};  // as h200 there
    const double active =
        power.active > Watts{} ? std::min(1.0, power.active / power.tdp) : usual_active_share;
    const double seconds = activity.duration.value();
    const double computes = activity.flop > Flop{}
                                ? (activity.flop / MatmulRates{device}[activity.precision]).value() / seconds
                                : 0.0;
    const double moves = (activity.memory / device.memory.bandwidth).value() / seconds;
    const JoulesPerByte link = power.per_link_byte > JoulesPerByte{} ? power.per_link_byte : usual_link;
    const Watts mean = power.tdp * (active + (1.0 - active) * computes + memory_share * moves) +
                       activity.sent * link / activity.duration;
    return std::min(mean, power.tdp);
}

Watts power_of_nothing(const hardware::PowerSpec& power) {
    return power.active > Watts{} ? power.active : power.idle;
}

JoulesPerFlop energy_of_operation(const hardware::DeviceSpec& device, graph::Precision precision) {
    const hardware::PowerSpec& power = device.power;
    const Bytes element = graph::bytes_of(precision);
    if (element == Bytes{1.0} && power.per_flop_8bit > JoulesPerFlop{}) return power.per_flop_8bit;
    if (element < Bytes{1.0} && power.per_flop_4bit > JoulesPerFlop{}) return power.per_flop_4bit;
    const FlopPerSecond rate = reference_rate(device.peak, precision);
    const FlopPerSecond sixteen = std::max(device.peak.bf16, device.peak.fp16);
    if (rate <= FlopPerSecond{} || sixteen <= FlopPerSecond{}) return power.per_flop;
    return power.per_flop * (sixteen / rate);
}

Watts power_by_component(const hardware::DeviceSpec& device, const Activity& activity) {
    DSE_EXPECT(activity.duration > Seconds{});
    const hardware::PowerSpec& power = device.power;
    const Joules work = activity.flop * energy_of_operation(device, activity.precision) +
                        activity.memory * power.per_memory_byte + activity.sent * power.per_link_byte;
    const Watts mean = power_of_nothing(power) + work / activity.duration;
    return power.tdp > Watts{} ? std::min(mean, power.tdp) : mean;
}

Watts device_power(const hardware::DeviceSpec& device, const Activity& activity) {
    if (device.power.per_flop > JoulesPerFlop{}) return power_by_component(device, activity);
    return power_by_limit(device, activity);
}

Joules energy(const hardware::SystemSpec& system, const Activity& activity) {
    const hardware::ClusterSpec& cluster = system.cluster;
    const auto power_of = [&](const hardware::DeviceSpec& device) { return device_power(device, activity); };
    const Watts device = hardware::mean_over_devices(system, power_of);
    const double devices = static_cast<double>(system.devices);
    const Watts beside = cluster.host.power + cluster.facility.fabric_power;
    return (device + beside) * activity.duration * (devices * cluster.facility.pue);
}

}  // namespace dse::model
