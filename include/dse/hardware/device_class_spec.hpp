#pragma once

#include "dse/config/described_once.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/problem.hpp"
#include "dse/hardware/rank_set.hpp"

namespace dse::hardware {

/// Ranks of a job that have a different device than the cluster's. Compute times, memory capacity, price and
/// power of these ranks are those of that device; network, host and overlap rules remain those of the
/// cluster.
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
DSE_DESCRIBED_ONCE(DeviceClassSpec);

}  // namespace dse::hardware
