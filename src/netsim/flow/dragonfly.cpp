// Dragonflies: groups of routers. Source: Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable
// dragonfly topology", ISCA 2008.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "generators.hpp"

namespace dse::netsim::flow {
namespace {

/// Assignment of the groups' global links to routers: link `slot` from a group to the one `distance` after
/// it.
class GlobalPorts {
  public:
    GlobalPorts(std::int64_t groups, std::int64_t routers, std::int64_t globals)
        : groups_{groups}, globals_{globals}, slots_{routers * globals / (groups - 1)} {}

    /// Number of links between any two groups.
    [[nodiscard]] std::int64_t slots() const { return slots_; }
    /// Router of a group that has the link.
    /// \param distance  to the other group, in [1, groups)
    [[nodiscard]] std::int64_t router(std::int64_t slot, std::int64_t distance) const {
        return (slot * (groups_ - 1) + distance - 1) / globals_;
    }

  private:
    std::int64_t groups_;
    std::int64_t globals_;
    std::int64_t slots_;
};

}  // namespace

Fabric dragonfly(const hardware::NetworkSpec& network, std::int64_t devices) {
    const hardware::TopologySpec& topology = network.topology;
    Wiring wiring{network, devices, Node::Kind::endpoint};
    const auto of_group =
        static_cast<double>(topology.group_routers) * static_cast<double>(topology.router_devices);
    const auto groups = static_cast<std::int64_t>(std::ceil(static_cast<double>(devices) / of_group));
    const std::int64_t per_group = topology.group_routers;
    require_fitting(static_cast<double>(groups) * static_cast<double>(per_group) *
                    (static_cast<double>(per_group) + static_cast<double>(topology.router_globals)));
    if (groups > per_group * topology.router_globals + 1) {
        throw ModelError(fmt::format(
            "{} devices need {} groups, and {} routers with {} global links each join at most {} "
            "(choose larger groups or more global links)",
            devices, groups, per_group, topology.router_globals, per_group * topology.router_globals + 1));
    }
    std::vector<NodeId> routers;
    for (std::int64_t r = 0; r < groups * per_group; ++r) {
        routers.push_back(wiring.hub(fmt::format("router{}", r), static_cast<std::uint32_t>(r / per_group)));
        const std::int64_t end = std::min(devices, (r + 1) * topology.router_devices);
        for (std::int64_t d = r * topology.router_devices; d < end; ++d) wiring.plug(d, routers.back());
    }
    const auto router = [&](std::int64_t group, std::int64_t number) {
        return routers[static_cast<std::size_t>(group * per_group + number)];
    };
    for (std::int64_t g = 0; g < groups; ++g) {
        for (std::int64_t a = 0; a < per_group; ++a) {
            for (std::int64_t b = a + 1; b < per_group; ++b) {
                wiring.join(router(g, a), router(g, b), wiring.port());
            }
        }
    }
    if (groups == 1) return wiring.take();
    const GlobalPorts ports{groups, per_group, topology.router_globals};
    for (std::int64_t g = 0; g < groups; ++g) {
        for (std::int64_t other = g + 1; other < groups; ++other) {
            for (std::int64_t slot = 0; slot < ports.slots(); ++slot) {
                wiring.join(router(g, ports.router(slot, other - g)),
                            router(other, ports.router(slot, groups - (other - g))), wiring.port(),
                            global_cost);
            }
        }
    }
    return wiring.take();
}

}  // namespace dse::netsim::flow
