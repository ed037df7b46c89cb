#pragma once

#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/problem.hpp"
#include "dse/hardware/rank_set.hpp"

namespace dse::hardware {

/// Ranks of a job that have another device than the cluster's: what they compute takes that device's time,
/// has to fit its memory, and is paid for and powered as it is. The network, the host and the rules of
/// overlap stay the cluster's.
struct DeviceClassSpec {
    DeviceSpec device;
    RankSet ranks{.number = 1};
};

Problems problems_of(const DeviceClassSpec& device_class);

template <class Visitor>
void describe(Visitor& v, DeviceClassSpec& device_class) {
    v.from_library("device", device_class.device, "hardware/devices", "the accelerator of these ranks");
    describe_ranks(v, device_class.ranks, "ranks that have it");
    check_after_reading(v, device_class);
}

}  // namespace dse::hardware
