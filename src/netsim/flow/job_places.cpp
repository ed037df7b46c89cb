#include "netsim/flow/job_places.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/netsim/flow/fabric.hpp"

namespace dse::netsim::flow {

JobPlaces::JobPlaces(const hardware::NetworkSpec& network, std::int64_t devices)
    : jobs_{network.topology.jobs}, devices_{devices} {
    DSE_EXPECT(devices >= 1);
    if (jobs_ > 1 && topology_kind(network) == hardware::TopologyKind::dimensions) {
        throw ModelError("topology.jobs: a machine of dimensions has one job (name another topology.kind)");
    }
    const std::int64_t inside = std::min(devices, network.scale_up.occupied(devices));
    const bool alternate = network.topology.placement == hardware::Placement::interleaved;
    if (alternate && devices % inside != 0) {
        throw ModelError(fmt::format(
            "topology.placement interleaved: {} devices do not fill domains of {} (choose packed)", devices,
            inside));
    }
    block_ = alternate ? inside : devices;
    stride_ = alternate ? jobs_ : 1;
}

std::span<const std::int64_t> JobPlaces::place(std::int64_t job, std::span<const std::int64_t> ranks) {
    placed_.clear();
    for (const std::int64_t rank : ranks) placed_.push_back(device(job, rank));
    return placed_;
}

}  // namespace dse::netsim::flow
