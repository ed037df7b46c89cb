#include "dse/model/energy.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/model/compute/rates.hpp"

namespace dse::model {
namespace {

std::string_view name_of(graph::Precision precision) {
    return graph::choice_names(precision)[static_cast<std::size_t>(precision)];
}

/// For example "fp64, fp32, fp16".
std::string formats_of(const hardware::PrecisionRates& rates) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < graph::choice_names(graph::Precision{}).size(); ++i) {
        const auto precision = static_cast<graph::Precision>(i);
        if (rate_of(rates, precision) > FlopPerSecond{}) names.push_back(name_of(precision));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Utilization utilization(const Activity& activity, const hardware::DeviceSpec& device,
                        const hardware::NetworkSpec& network) {
    DSE_EXPECT(activity.duration > Seconds{});
    const FlopPerSecond peak = reference_rate(device.peak, activity.precision);
    if (peak <= FlopPerSecond{}) {
        throw ModelError(
            fmt::format("{} has no matrix unit for {}, of which workload.precision says that MFU and energy "
                        "are; it has {}",
                        device.name, name_of(activity.precision), formats_of(device.peak)));
    }
    const double seconds = activity.duration.value();
    const auto share = [&](Seconds at_peak) { return std::clamp(at_peak.value() / seconds, 0.0, 1.0); };
    return {share(activity.flop / peak), share(activity.memory / device.memory.bandwidth),
            share(activity.sent / network.scale_up.link.bandwidth)};
}

Watts power_by_utilization(const hardware::PowerSpec& power, const Utilization& busy) {
    if (power.tdp <= Watts{}) return Watts{std::numeric_limits<double>::quiet_NaN()};
    constexpr double usual_idle_share = 0.30;
    const Watts idle = power.idle > Watts{} ? power.idle : power.tdp * usual_idle_share;
    return idle + (power.tdp - idle) * ((4.0 * busy.compute + 2.0 * busy.memory + busy.network) / 7.0);
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

Watts device_power(const hardware::DeviceSpec& device, const hardware::NetworkSpec& network,
                   const Activity& activity) {
    if (device.power.per_flop > JoulesPerFlop{}) return power_by_component(device, activity);
    return power_by_utilization(device.power, utilization(activity, device, network));
}

Joules energy(const hardware::SystemSpec& system, const Activity& activity) {
    const hardware::ClusterSpec& cluster = system.cluster;
    const auto power_of = [&](const hardware::DeviceSpec& device) {
        return device_power(device, cluster.network, activity);
    };
    const Watts device = hardware::mean_over_devices(system, power_of);
    const double devices = static_cast<double>(system.devices);
    const Watts beside = cluster.host.power + cluster.facility.fabric_power;
    return (device + beside) * activity.duration * (devices * cluster.facility.pue);
}

}  // namespace dse::model
