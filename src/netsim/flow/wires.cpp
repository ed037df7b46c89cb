// Wiring given as an explicit list of links.

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "generators.hpp"

namespace dse::netsim::flow {
namespace {

using hardware::WireEnd;
using hardware::WireSpec;

struct Ends {
    WireEnd from;
    WireEnd to;
};

Ends ends_of(const WireSpec& wire) {
    const auto from = hardware::parse_wire_end(wire.from);
    const auto to = hardware::parse_wire_end(wire.to);
    DSE_REQUIRE(from && to);
    return {*from, *to};
}

/// Number of devices in the wiring, and their kind: they forward messages if some are wired to each other.
struct Devices {
    std::int64_t count{0};
    Node::Kind kind{Node::Kind::endpoint};
};

Devices devices_of(const std::vector<WireSpec>& wires) {
    Devices devices{hardware::wired_devices(wires)};
    double links = 0.0;
    for (const WireSpec& wire : wires) {
        const Ends ends = ends_of(wire);
        if (ends.from.devices > 0 && ends.to.devices > 0) devices.kind = Node::Kind::relay;
        links += 2.0 * static_cast<double>(std::max({ends.from.devices, ends.to.devices, std::int64_t{1}}));
    }
    require_fitting(links);
    return devices;
}

}  // namespace

Fabric wires(const hardware::NetworkSpec& network, std::int64_t devices) {
    const std::vector<WireSpec>& all = network.topology.wires;
    const Devices wired = devices_of(all);
    if (wired.count < devices) {
        throw ModelError(
            fmt::format("topology.wires has {} devices, and the job needs {}", wired.count, devices));
    }
    Fabric fabric;
    fabric.devices = devices;
    for (std::int64_t d = 0; d < wired.count; ++d) fabric.graph.add_node(wired.kind, std::to_string(d));
    std::unordered_map<std::string_view, NodeId> hubs;
    const auto node = [&](const WireEnd& end, std::int64_t i) {
        if (end.devices > 0) return NodeId{static_cast<std::size_t>(end.first + i)};
        const auto found = hubs.find(end.hub);
        if (found != hubs.end()) return found->second;
        return hubs.emplace(end.hub, fabric.graph.add_node(Node::Kind::hub, std::string{end.hub}))
            .first->second;
    };
    for (const WireSpec& wire : all) {
        const Ends ends = ends_of(wire);
        const std::int64_t count = std::max({ends.from.devices, ends.to.devices, std::int64_t{1}});
        for (std::int64_t i = 0; i < count; ++i) {
            const Link link{node(ends.from, i), node(ends.to, i), wire.link.sustained(), wire.link.latency,
                            static_cast<std::uint32_t>(wire.cost)};
            if (wire.direction == hardware::WireDirection::both) {
                fabric.graph.add_cable(link);
            } else {
                fabric.graph.add_link(link);
            }
        }
    }
    return fabric;
}

}  // namespace dse::netsim::flow
