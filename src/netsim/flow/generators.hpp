#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "dse/hardware/network/network_spec.hpp"
#include "dse/netsim/flow/fabric.hpp"

namespace dse::netsim::flow {

/// Link costs whose sum routing minimizes: a fabric link costs more than any path through a domain and one of
/// its devices, so traffic stays inside a domain if it can.
inline constexpr std::uint32_t domain_cost = 1;
inline constexpr std::uint32_t fabric_cost = 16;
/// Minimal routes of a dragonfly take one link between groups, regardless of the number of links inside
/// groups.
inline constexpr std::uint32_t global_cost = 64;

/// A machine under construction: its devices, and what joins those of a domain: a switch, or direct links.
class Wiring {
  public:
    Wiring(const hardware::NetworkSpec& network, std::int64_t devices, Node::Kind device_kind);

    [[nodiscard]] std::int64_t devices() const { return fabric_.devices; }
    /// Number of devices per domain; the last one may have fewer.
    [[nodiscard]] std::int64_t domain() const { return domain_; }
    [[nodiscard]] std::int64_t domains() const { return (devices() + domain_ - 1) / domain_; }
    /// Bandwidth of one device's port into the fabric.
    [[nodiscard]] BytesPerSecond port() const { return network_->scale_out.link.sustained(); }

    NodeId hub(std::string name, std::uint32_t group = 0);
    /// Connects a device's port; half of a message's latency is charged at the sending port, half at the
    /// receiving one.
    void plug(std::int64_t device, NodeId into);
    void join(NodeId a, NodeId b, BytesPerSecond capacity, std::uint32_t cost = fabric_cost);

    [[nodiscard]] const hardware::NetworkSpec& network() const { return *network_; }
    [[nodiscard]] LinkGraph& graph() { return fabric_.graph; }
    Fabric take() { return std::move(fabric_); }

  private:
    /// A device is the node of its number.
    static NodeId node_of(std::int64_t device) { return NodeId{static_cast<std::size_t>(device)}; }
    /// Joins the devices [first, end) of a domain. \param share  of a device's rate that one link has
    void join_directly(std::int64_t first, std::int64_t end, double share);
    void join_by_switch(std::int64_t first, std::int64_t end);

    const hardware::NetworkSpec* network_;
    std::int64_t domain_;
    Fabric fabric_;
};

/// \throws ModelError if there are more links than a machine may have
void require_fitting(double links);

Fabric two_level(const hardware::NetworkSpec& network, std::int64_t devices);
Fabric grid(const hardware::NetworkSpec& network, std::int64_t devices);
Fabric fat_tree(const hardware::NetworkSpec& network, std::int64_t devices);
Fabric rails(const hardware::NetworkSpec& network, std::int64_t devices);
Fabric dragonfly(const hardware::NetworkSpec& network, std::int64_t devices);
Fabric wires(const hardware::NetworkSpec& network, std::int64_t devices);

}  // namespace dse::netsim::flow
