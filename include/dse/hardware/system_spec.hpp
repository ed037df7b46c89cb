#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "dse/config/described_once.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/hardware/device_class_spec.hpp"
#include "dse/hardware/pools_spec.hpp"
#include "dse/hardware/problem.hpp"
#include "dse/hardware/straggler_spec.hpp"

namespace dse::hardware {

/// The machine of a point: a number of devices of a cluster.
struct SystemSpec {
    ClusterSpec cluster;
    std::int64_t devices{1};
    StragglerSpec stragglers;
    /// Ranks with devices other than the cluster's; the sets are disjoint.
    std::vector<DeviceClassSpec> device_classes;
    PoolsSpec pools;
};

Problems problems_of(const SystemSpec& system);

/// Mean of a figure over all devices of the job. Exact, to the last bit, if all devices are equal.
/// \param figure  maps a DeviceSpec to a value
template <class Figure>
auto mean_over_devices(const SystemSpec& system, Figure&& figure) {
    const auto usual = std::invoke(figure, system.cluster.device);
    auto mean = usual;
    for (const DeviceClassSpec& other : system.device_classes) {
        const double share = static_cast<double>(other.ranks.number) / static_cast<double>(system.devices);
        mean = mean + (std::invoke(figure, other.device) - usual) * share;
    }
    return mean;
}

/// Checks every field, for values that come from axes rather than from a file.
/// \throws ModelError naming the fields
void validate(const SystemSpec& system);

template <class Visitor>
void describe(Visitor& v, SystemSpec& system) {
    v.from_library("cluster", system.cluster, "hardware/clusters", "the kind of machine");
    v.required("devices", system.devices, config::at_least(1), "number of devices of the job");
    v.optional_section("stragglers", system.stragglers, "devices that are slower than the rest");
    v.records("device_classes", system.device_classes, "ranks with devices other than the cluster's");
    v.optional_section("pools", system.pools, "serving: separate pools for prefill and decode");
    check_after_reading(v, system);
}
DSE_DESCRIBED_ONCE(SystemSpec);

}  // namespace dse::hardware
