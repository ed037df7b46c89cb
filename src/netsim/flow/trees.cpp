// Hierarchies of switches: two levels, fat trees, rails.

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "generators.hpp"

namespace dse::netsim::flow {
namespace {

std::int64_t ceil_of(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Links upwards. Their number is whole, and chosen so that the capacity of each is close to a port's.
struct Uplinks {
    std::int64_t count;
    BytesPerSecond capacity;
};

/// \param below  number of links from below, each of `capacity`
Uplinks uplinks(std::int64_t below, BytesPerSecond capacity, double oversubscription) {
    const double wanted = static_cast<double>(below) / oversubscription;
    const std::int64_t count = std::max<std::int64_t>(1, static_cast<std::int64_t>(wanted));
    return {count, capacity * (wanted / static_cast<double>(count))};
}

/// Connects every leaf switch to every spine; a single leaf needs no spines.
void add_spines(Wiring& wiring, const std::vector<NodeId>& leaves, const std::string& prefix,
                const Uplinks& up, std::vector<NodeId>& spines) {
    require_fitting(2.0 * static_cast<double>(up.count) * static_cast<double>(leaves.size()));
    for (std::int64_t s = 0; s < up.count; ++s) {
        const NodeId spine = wiring.hub(fmt::format("{}spine{}", prefix, s));
        spines.push_back(spine);
        for (const NodeId leaf : leaves) wiring.join(leaf, spine, up.capacity);
    }
}

/// Connects pods: spine s of every pod connects to the same cores.
void add_cores(Wiring& wiring, const std::vector<std::vector<NodeId>>& pods, const Uplinks& up) {
    const std::size_t spines = pods.front().size();
    require_fitting(2.0 * static_cast<double>(up.count) * static_cast<double>(spines * pods.size()));
    for (std::size_t s = 0; s < spines; ++s) {
        for (std::int64_t c = 0; c < up.count; ++c) {
            const auto number = static_cast<std::int64_t>(s) * up.count + c;
            const NodeId core = wiring.hub(fmt::format("core{}", number));
            for (const std::vector<NodeId>& pod : pods) wiring.join(pod[s], core, up.capacity);
        }
    }
}

}  // namespace

Fabric two_level(const hardware::NetworkSpec& network, std::int64_t devices) {
    Wiring wiring{network, devices, Node::Kind::endpoint};
    if (wiring.domains() == 1) return wiring.take();
    const double oversubscription = network.scale_out.oversubscription;
    const NodeId core = wiring.hub("core0");
    NodeId leaf = core;
    for (std::int64_t d = 0; d < devices; ++d) {
        // Traffic that leaves a domain shares the domain's links to the fabric.
        if (oversubscription > 1.0 && d % wiring.domain() == 0) {
            const std::int64_t inside = std::min(wiring.domain(), devices - d);
            leaf = wiring.hub(fmt::format("leaf{}", d / wiring.domain()));
            wiring.join(leaf, core, wiring.port() * (static_cast<double>(inside) / oversubscription));
        }
        wiring.plug(d, leaf);
    }
    return wiring.take();
}

Fabric fat_tree(const hardware::NetworkSpec& network, std::int64_t devices) {
    Wiring wiring{network, devices, Node::Kind::endpoint};
    if (wiring.domains() == 1) return wiring.take();
    const std::int64_t leaf_devices = std::min(network.topology.leaf_devices, devices);
    const std::int64_t leaf_count = ceil_of(devices, leaf_devices);
    const std::int64_t asked = network.topology.pod_leaves;
    const std::int64_t pod_leaves = asked == 0 ? leaf_count : std::min(asked, leaf_count);
    const bool has_pods = pod_leaves < leaf_count;
    const Uplinks up = uplinks(leaf_devices, wiring.port(), network.scale_out.oversubscription);
    std::vector<NodeId> leaves;
    std::vector<std::vector<NodeId>> pods;
    for (std::int64_t l = 0; l < leaf_count; ++l) {
        const NodeId leaf = wiring.hub(fmt::format("leaf{}", l));
        leaves.push_back(leaf);
        const std::int64_t end = std::min(devices, (l + 1) * leaf_devices);
        for (std::int64_t d = l * leaf_devices; d < end; ++d) wiring.plug(d, leaf);
        const bool pod_is_full = (l + 1) % pod_leaves == 0 || l + 1 == leaf_count;
        if (!pod_is_full || leaf_count == 1) continue;
        const std::string prefix = has_pods ? fmt::format("pod{}.", l / pod_leaves) : "";
        add_spines(wiring, leaves, prefix, up, pods.emplace_back());
        leaves.clear();
    }
    if (has_pods) {
        add_cores(wiring, pods, uplinks(pod_leaves, up.capacity, network.topology.core_oversubscription));
    }
    return wiring.take();
}

Fabric rails(const hardware::NetworkSpec& network, std::int64_t devices) {
    const bool relays = network.topology.cross_rail == hardware::CrossRail::relay;
    Wiring wiring{network, devices, relays ? Node::Kind::relay : Node::Kind::endpoint};
    if (wiring.domains() == 1) return wiring.take();
    // A leaf switch connects one device from each of `leaf_domains` domains.
    const std::int64_t leaf_domains = std::min(network.topology.leaf_devices, wiring.domains());
    const std::int64_t blocks = ceil_of(wiring.domains(), leaf_domains);
    std::vector<NodeId> leaves;
    for (std::int64_t rail = 0; rail < wiring.domain(); ++rail) {
        for (std::int64_t block = 0; block < blocks; ++block) {
            leaves.push_back(wiring.hub(fmt::format("leaf{}", rail * blocks + block)));
        }
    }
    for (std::int64_t d = 0; d < devices; ++d) {
        const std::int64_t block = d / wiring.domain() / leaf_domains;
        wiring.plug(d, leaves[static_cast<std::size_t>(d % wiring.domain() * blocks + block)]);
    }
    const bool needs_spines = leaves.size() > 1 && (blocks > 1 || !relays);
    std::vector<NodeId> spines;
    if (needs_spines) {
        add_spines(wiring, leaves, "",
                   uplinks(leaf_domains, wiring.port(), network.scale_out.oversubscription), spines);
    }
    return wiring.take();
}

}  // namespace dse::netsim::flow
