// Any bytes as a network with a topology: no crash, no hang, nothing thrown but what a user is told; and what
// is found to be right is wired, and every device gets to every other one or there is said to be no way.

#include <cstddef>
#include <cstdint>

#include "dse/base/error.hpp"
#include "dse/config/reader.hpp"
#include "dse/config/source_text.hpp"
#include "dse/netsim/flow/fabric.hpp"
#include "dse/netsim/flow/router.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse;
using namespace dse::netsim::flow;

void check_links(const Fabric& fabric) {
    for (const Link& link : fabric.graph.links()) {
        DSE_INVARIANT(link.capacity > BytesPerSecond{} && link.latency >= Seconds{});
        DSE_INVARIANT(link.from.index() < fabric.graph.nodes().size());
        DSE_INVARIANT(link.to.index() < fabric.graph.nodes().size());
    }
}

/// Every link of a way begins where the one before ends.
void check_way(const Fabric& fabric, Router& router, std::size_t from, std::size_t to) {
    std::vector<LinkId> links;
    try {
        router.route(NodeId{from}, NodeId{to}, nullptr, links);
    } catch (const ModelError&) {
        return;
    }
    NodeId at{from};
    for (const LinkId link : links) {
        DSE_INVARIANT(fabric.graph.link(link).from == at);
        at = fabric.graph.link(link).to;
    }
    DSE_INVARIANT(at == NodeId{to});
}

void wire(const hardware::NetworkSpec& network, std::int64_t devices) {
    try {
        const Fabric fabric = build_fabric(network, devices);
        DSE_INVARIANT(fabric.devices == devices);
        check_links(fabric);
        const bool adapts = network.topology.paths == hardware::PathChoice::adaptive;
        Router router{fabric.graph, adapts ? hardware::PathChoice::ecmp : network.topology.paths,
                      static_cast<std::uint64_t>(network.topology.path_seed)};
        const auto count = static_cast<std::size_t>(devices);
        for (std::size_t from = 0; from < count; ++from)
            check_way(fabric, router, from, (from * 5 + 3) % count);
    } catch (const ModelError&) {
        return;
    }
}

/// A long list of long ways is no defect, but not what is looked for here.
bool is_small(const hardware::NetworkSpec& network) {
    const hardware::TopologySpec& topology = network.topology;
    constexpr std::int64_t most = 1000;
    return topology.group_routers <= most && topology.router_globals <= most && topology.leaf_devices <= most;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    config::Diagnostics diagnostics;
    hardware::NetworkSpec network;
    const config::Node node = config::parse_yaml(text, "fuzz.yaml", diagnostics);
    config::read_struct(node, network, nullptr, diagnostics);
    if (!diagnostics.ok() || !is_small(network)) return 0;
    DSE_INVARIANT(hardware::problems_of(network).empty());
    for (const std::int64_t devices : {1, 2, 12, 16}) wire(network, devices);
    return 0;
}
