#include "dse/model/host_copy.hpp"

#include "dse/base/error.hpp"

namespace dse::model {

Seconds copy_time(const workload::Copy& copy, const hardware::HostSpec& host) {
    if (copy.size == Bytes{}) return Seconds{};
    if (host.bandwidth <= BytesPerSecond{})
        throw ModelError("the machine states no bandwidth to host memory (give cluster.host.bandwidth)");
    return copy.size / host.bandwidth;
}

}  // namespace dse::model
