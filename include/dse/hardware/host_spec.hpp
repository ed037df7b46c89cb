#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// What a node has beside its devices.
struct HostSpec {
    /// CPU time to launch one kernel without CUDA graphs: processor and framework together.
    Seconds launch_time;
    /// Device to host memory, per direction and device. 0: offloading is not possible.
    BytesPerSecond bandwidth;
    /// Host memory that one device may use.
    Bytes capacity;
    /// Processors, NICs, fans of one node, per device.
    Watts power;
    /// Rate at which the processors work on their memory, one device's share. 0: the host cannot update
    /// states.
    BytesPerSecond memory_bandwidth;
    /// CO2 equivalents of making one node without its devices, per device. 0: unknown.
    Grams embodied;
};

Problems problems_of(const HostSpec& host);

template <class Visitor>
void describe(Visitor& v, HostSpec& host) {
    v.optional("launch_time", host.launch_time, config::not_negative,
               "CPU time to launch one kernel without CUDA graphs");
    v.optional("bandwidth", host.bandwidth, config::not_negative,
               "device to host memory, per direction and device");
    v.optional("capacity", host.capacity, config::not_negative, "host memory that one device may use");
    v.optional("memory_bandwidth", host.memory_bandwidth, config::not_negative,
               "rate at which processors work on their memory, one device's share");
    v.optional("power", host.power, config::not_negative, "processors, NICs and fans, per device");
    v.optional("embodied", host.embodied, config::not_negative,
               "greenhouse gases of making a node without its devices, per device");
    check_after_reading(v, host);
}

}  // namespace dse::hardware
