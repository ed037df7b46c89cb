#pragma once

#include <cstdint>
#include <string>

#include "dse/config/described_once.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/facility_spec.hpp"
#include "dse/hardware/host_spec.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// A kind of machine of any size; SystemSpec says how many devices of it are used.
struct ClusterSpec {
    std::string name;
    DeviceSpec device;
    std::int64_t devices_per_node{1};
    NetworkSpec network;
    HostSpec host;
    FacilitySpec facility;
};

Problems problems_of(const ClusterSpec& cluster);

template <class Visitor>
void describe(Visitor& v, ClusterSpec& cluster) {
    v.required("name", cluster.name, "name for display");
    v.from_library("device", cluster.device, "hardware/devices", "the accelerator");
    v.required("devices_per_node", cluster.devices_per_node, config::at_least(1),
               "devices that share one operating system");
    v.section("network", cluster.network, "scale-up domains and the fabric between them");
    v.optional_from_library("host", cluster.host, "hardware/energy", "the rest of a node: host and memory");
    v.optional_from_library("facility", cluster.facility, "hardware/energy", "the data center");
    check_after_reading(v, cluster);
}
DSE_DESCRIBED_ONCE(ClusterSpec);

}  // namespace dse::hardware
