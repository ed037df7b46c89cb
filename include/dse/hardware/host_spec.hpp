#pragma once

#include "dse/base/units.hpp"
#include "dse/config/described_once.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// The part of a node other than its devices.
struct HostSpec {
    /// CPU time to launch one kernel without CUDA graphs, framework included.
    Seconds launch_time;
    /// Mean time by which a rank reaches a tensor-parallel collective later than it would on a machine
    /// without interruptions, exponentially distributed: n ranks wait for the last one, skew · (1/2 + … +
    /// 1/n) on average.
    Seconds skew;
    /// Bandwidth between device and host memory, per direction and device. 0: offloading is not possible.
    BytesPerSecond bandwidth;
    /// Host memory available to one device.
    Bytes capacity;
    /// Power of processors, NICs and fans, per device.
    Watts power;
    /// Bandwidth of host memory that processors reach, per device. 0: the host cannot update states.
    BytesPerSecond memory_bandwidth;
    /// Emissions of producing a node without its devices, in CO2 equivalents per device. 0: unknown.
    Grams embodied;
};

Problems problems_of(const HostSpec& host);

template <class Visitor>
void describe(Visitor& v, HostSpec& host) {
    v.optional("launch_time", host.launch_time, config::not_negative,
               "CPU time to launch one kernel without CUDA graphs");
    v.optional("skew", host.skew, config::not_negative,
               "mean delay of a rank at a collective of tensor parallelism, which all ranks wait for");
    v.optional("bandwidth", host.bandwidth, config::not_negative,
               "bandwidth between device and host memory, per direction and device");
    v.optional("capacity", host.capacity, config::not_negative, "host memory available to one device");
    v.optional("memory_bandwidth", host.memory_bandwidth, config::not_negative,
               "bandwidth of host memory that processors reach, per device");
    v.optional("power", host.power, config::not_negative, "power of processors, NICs and fans, per device");
    v.optional("embodied", host.embodied, config::not_negative,
               "emissions of producing a node without its devices, per device");
    check_after_reading(v, host);
}
DSE_DESCRIBED_ONCE(HostSpec);

}  // namespace dse::hardware
