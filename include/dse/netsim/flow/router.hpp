#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dse/hardware/network/topology_spec.hpp"
#include "dse/netsim/flow/fluid_network.hpp"
#include "dse/netsim/flow/link_graph.hpp"

namespace dse::netsim::flow {

/// Finds the links that a message takes: one of the cheapest paths, selected by hardware::PathChoice.
///
/// Search results are cached, within bounds; one object per thread. The same calls in the same order have the
/// same results; except with `adaptive`, results do not depend on the order either.
class Router {
  public:
    /// \param graph  must outlive this object and must not change
    Router(const LinkGraph& graph, hardware::PathChoice choice, std::uint64_t seed);

    /// Appends the links from one node to another; none if they are equal.
    /// \param load  the load considered by `adaptive`; may be nullptr otherwise
    /// \throws ModelError if there is no path
    void route(NodeId from, NodeId to, const FluidNetwork* load, std::vector<LinkId>& links);

  private:
    /// Costs of the paths from all nodes to one, as far as they have been searched.
    struct Field {
        std::vector<std::uint32_t> cost;  ///< of forwarding nodes, by index; final up to `settled`
        std::vector<std::pair<std::uint32_t, std::uint32_t>> border;  ///< (cost, node), a heap
        std::uint32_t settled{0};
    };

    [[nodiscard]] bool passes_on(NodeId node) const { return place_[node.index()] != nowhere; }
    Field& field_of(NodeId to);
    /// Updates the nodes with a link into a node of that cost.
    void reach(NodeId node, std::uint32_t cost, Field& field) const;
    /// Continues the search until the cost of a forwarding node is final.
    /// \return the cost; the largest number if there is no path
    std::uint32_t search(NodeId node, Field& field) const;
    /// The same for any node, which may be joined to `to` directly.
    std::uint32_t cost_from(NodeId from, NodeId to, Field& field) const;
    /// Finds the links of a node that start cheapest paths.
    void find_candidates(NodeId at, NodeId to, std::uint32_t left, const Field& field);
    void walk(NodeId from, NodeId to, const FluidNetwork* load, std::uint64_t hash,
              std::vector<LinkId>& links);
    [[nodiscard]] LinkId pick(std::uint64_t hash, const FluidNetwork* load) const;
    [[nodiscard]] NodeId detour(NodeId from, NodeId to, std::uint64_t hash);
    [[nodiscard]] std::uint32_t group_of(NodeId node) const;

    const LinkGraph* graph_;
    hardware::PathChoice choice_;
    std::uint64_t seed_;
    static constexpr std::uint32_t nowhere = 0xffffffff;
    std::vector<std::uint32_t> place_;  ///< by node: index among the forwarding nodes
    std::uint32_t passing_{0};          ///< number of forwarding nodes
    // Links between forwarding nodes, by node: a switch has few of these but many devices.
    std::vector<std::vector<LinkId>> onwards_;
    std::vector<std::vector<LinkId>> back_;  ///< likewise links into any node
    std::unordered_map<NodeId, Field> fields_;
    std::vector<LinkId> candidates_;
    std::vector<NodeId> hubs_;
};

}  // namespace dse::netsim::flow
