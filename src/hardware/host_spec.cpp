#include "dse/hardware/host_spec.hpp"

namespace dse::hardware {

Problems problems_of(const HostSpec& host) {
    Problems problems;
    problems.not_negative("launch_time", host.launch_time, "a time");
    problems.not_negative("bandwidth", host.bandwidth, "a bandwidth; 0: no offloading");
    problems.not_negative("capacity", host.capacity, "an amount of memory");
    problems.not_negative("power", host.power, "a power");
    problems.not_negative("memory_bandwidth", host.memory_bandwidth,
                          "a bandwidth; 0: no offloaded optimizer");
    return problems;
}

}  // namespace dse::hardware
