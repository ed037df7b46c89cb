#include "eval/serve/host_room.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/gibibyte.hpp"

namespace dse::eval {

HostRoom host_room(const study::Scenario& scenario, const CacheRoom& room) {
    const double bytes = scenario.workload.engine.host_cache.value();
    if (bytes == 0.0) return {};
    const hardware::HostSpec& host = scenario.system.cluster.host;
    if (host.bandwidth.value() == 0.0)
        throw ModelError(
            "serving.host_cache: caches are copied from the host, and the cluster states no host.bandwidth");
    if (host.capacity.value() > 0.0 && bytes > host.capacity.value())
        throw ModelError(
            fmt::format("serving.host_cache: {:.4g} GiB a device, and the host has {:.4g} GiB "
                        "for each (cluster.host.capacity)",
                        bytes / gibibyte, host.capacity.value() / gibibyte));
    constexpr double kib = 1024.0;
    if (bytes < room.page_bytes)
        throw ModelError(
            fmt::format("serving.host_cache: {:.4g} KiB a device, and a page of {} tokens (kv_block) "
                        "has {:.4g} KiB (0 B: none)",
                        bytes / kib, scenario.workload.serving.kv_block, room.page_bytes / kib));
    const double bytes_a_token = room.page_bytes / static_cast<double>(scenario.workload.serving.kv_block);
    // More than any run has, of hosts whose capacity is not known.
    constexpr double most_pages = 1e15;
    return {static_cast<std::int64_t>(std::min(std::floor(bytes / room.page_bytes), most_pages)),
            bytes_a_token / host.bandwidth.value()};
}

}  // namespace dse::eval
