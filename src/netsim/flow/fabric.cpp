#include "dse/netsim/flow/fabric.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/hardware/network/domain_links.hpp"
#include "generators.hpp"

namespace dse::netsim::flow {
namespace {

using hardware::TopologyKind;

Fabric generate(const hardware::NetworkSpec& network, std::int64_t devices) {
    switch (topology_kind(network)) {
        case TopologyKind::automatic:
        case TopologyKind::two_level:
            return two_level(network, devices);
        case TopologyKind::dimensions:
            return grid(network, devices);
        case TopologyKind::fat_tree:
            return fat_tree(network, devices);
        case TopologyKind::rail:
            return rails(network, devices);
        case TopologyKind::dragonfly:
            return dragonfly(network, devices);
        case TopologyKind::wires:
            break;
    }
    return wires(network, devices);
}

/// Reduces the bandwidth of links that are configured as degraded.
class Degrader {
  public:
    explicit Degrader(LinkGraph& graph) : graph_{&graph} {
        for (std::size_t n = 0; n < graph.nodes().size(); ++n) nodes_.emplace(graph.nodes()[n].name, n);
    }

    void apply(const hardware::DegradedSpec& degraded) {
        bool found = false;
        for_nodes(degraded.from, [&](NodeId from) {
            for_nodes(degraded.to, [&](NodeId to) {
                found = weaken(from, to, degraded.factor) || found;
                const bool back = degraded.direction == hardware::WireDirection::both;
                if (back) found = weaken(to, from, degraded.factor) || found;
            });
        });
        if (found) return;
        throw ModelError(fmt::format("topology.degraded: there is no link between '{}' and '{}'",
                                     degraded.from, degraded.to));
    }

  private:
    template <class Look>
    void for_nodes(const std::string& text, Look&& look) {
        const auto end = hardware::parse_wire_end(text);
        DSE_REQUIRE(end.has_value());
        if (end->devices == 0) return look(node(text));
        for (std::int64_t d = 0; d < end->devices; ++d) look(node(std::to_string(end->first + d)));
    }

    NodeId node(const std::string& name) {
        const auto found = nodes_.find(name);
        if (found != nodes_.end()) return NodeId{found->second};
        std::vector<std::string> hubs;
        for (const Node& known : graph_->nodes()) {
            if (known.kind == Node::Kind::hub) hubs.push_back(known.name);
        }
        throw ModelError(fmt::format("topology.degraded: there is no '{}'{}", name, suggestion(name, hubs)));
    }

    bool weaken(NodeId from, NodeId to, double factor) {
        const std::vector<LinkId> outgoing = graph_->node(from).outgoing;
        bool found = false;
        for (const LinkId link : outgoing) {
            if (graph_->link(link).to != to) continue;
            found = true;
            if (factor > 0.0) {
                graph_->degrade(link, factor);
            } else {
                graph_->cut(link);
            }
        }
        return found;
    }

    LinkGraph* graph_;
    std::unordered_map<std::string, std::size_t> nodes_;
};

}  // namespace

TopologyKind topology_kind(const hardware::NetworkSpec& network) {
    if (network.topology.kind != TopologyKind::automatic) return network.topology.kind;
    return network.dimensions.empty() ? TopologyKind::two_level : TopologyKind::dimensions;
}

Fabric build_fabric(const hardware::NetworkSpec& network, std::int64_t devices) {
    DSE_EXPECT(devices >= 1);
    Fabric fabric = generate(network, devices);
    if (network.topology.degraded.empty()) return fabric;
    Degrader degrader{fabric.graph};
    for (const hardware::DegradedSpec& degraded : network.topology.degraded) degrader.apply(degraded);
    return fabric;
}

void require_fitting(double links) {
    constexpr double most_links = 1 << 24;
    if (links <= most_links) return;
    throw ModelError(fmt::format("the topology has {:g} links (at most {:g} are simulated one by one)", links,
                                 most_links));
}

Wiring::Wiring(const hardware::NetworkSpec& network, std::int64_t devices, Node::Kind device_kind)
    : network_{&network}, domain_{std::min(devices, network.scale_up.occupied(devices))} {
    const hardware::DomainLinks links{network};
    const double at_a_device = links.are_direct() ? static_cast<double>(domain_) + 1.0 : 4.0;
    require_fitting(at_a_device * static_cast<double>(devices));
    fabric_.devices = devices;
    for (std::int64_t d = 0; d < devices; ++d) fabric_.graph.add_node(device_kind, std::to_string(d));
    if (domain_ == 1) return;
    for (std::int64_t first = 0; first < devices; first += domain_) {
        const std::int64_t end = std::min(first + domain_, devices);
        if (links.are_direct()) {
            join_directly(first, end, links.share(2));
        } else {
            join_by_switch(first, end);
        }
    }
}

void Wiring::join_directly(std::int64_t first, std::int64_t end, double share) {
    const hardware::LinkSpec& link = network_->scale_up.link;
    for (std::int64_t a = first; a < end; ++a) {
        for (std::int64_t b = a + 1; b < end; ++b)
            fabric_.graph.add_cable(
                {node_of(a), node_of(b), link.sustained() * share, link.latency, domain_cost});
    }
}

void Wiring::join_by_switch(std::int64_t first, std::int64_t end) {
    const hardware::LinkSpec& link = network_->scale_up.link;
    const NodeId middle = hub(fmt::format("nvs{}", first / domain_));
    for (std::int64_t d = first; d < end; ++d)
        fabric_.graph.add_cable({node_of(d), middle, link.sustained(), link.latency * 0.5, domain_cost});
}

NodeId Wiring::hub(std::string name, std::uint32_t group) {
    return fabric_.graph.add_node(Node::Kind::hub, std::move(name), group);
}

void Wiring::plug(std::int64_t device, NodeId into) {
    fabric_.graph.add_cable(
        {node_of(device), into, port(), network_->scale_out.link.latency * 0.5, fabric_cost});
}

void Wiring::join(NodeId a, NodeId b, BytesPerSecond capacity, std::uint32_t cost) {
    fabric_.graph.add_cable({a, b, capacity, network_->topology.switch_latency, cost});
}

}  // namespace dse::netsim::flow
