#include "dse/model/host_copy.hpp"

#include "dse/base/error.hpp"

namespace dse::model {

Seconds copy_time(const graph::Copy& copy, const hardware::HostSpec& host) {
    if (copy.size == Bytes{}) return Seconds{};
    if (host.bandwidth <= BytesPerSecond{})
        throw ModelError("the machine states no bandwidth to host memory (give cluster.host.bandwidth)");
    return copy.size / host.bandwidth;
}

Seconds update_time(const graph::HostUpdate& update, const hardware::HostSpec& host) {
    const Bytes moved = update.read + update.written;
    if (moved == Bytes{}) return Seconds{};
    if (host.memory_bandwidth <= BytesPerSecond{})
        throw ModelError(
            "the machine does not say how fast its host updates (give cluster.host.memory_bandwidth)");
    return moved / host.memory_bandwidth;
}

}  // namespace dse::model
