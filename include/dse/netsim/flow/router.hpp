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

/// Finds the links that a message takes: along cheapest ways, of which hardware::PathChoice picks one.
///
/// What it has searched it keeps, within bounds: it serves one thread. The same questions in the same order
/// get the same answers; all choices but `adaptive` do not depend on the order either.
class Router {
  public:
    /// \param graph  outlives this, and does not change
    Router(const LinkGraph& graph, hardware::PathChoice choice, std::uint64_t seed);

    /// Appends the links from one node to another, of which there are none where both are the same.
    /// \param load  what `adaptive` looks at; may be nullptr otherwise
    /// \throws ModelError where there is no way
    void route(NodeId from, NodeId to, const FluidNetwork* load, std::vector<LinkId>& links);

  private:
    /// Costs of the ways from all nodes to one, as far as they have been searched.
    struct Field {
        std::vector<std::uint32_t> cost;  ///< of nodes that pass messages on, by place; final up to `settled`
        std::vector<std::pair<std::uint32_t, std::uint32_t>> border;  ///< (cost, node), a heap
        std::uint32_t settled{0};
    };

    [[nodiscard]] bool passes_on(NodeId node) const { return place_[node.index()] != nowhere; }
    Field& field_of(NodeId to);
    /// Who has a link into a node of that cost may now go by it.
    void reach(NodeId node, std::uint32_t cost, Field& field) const;
    /// Searches on until the cost of a node that passes messages on is final. \return it; the largest number
    /// where there is no way
    std::uint32_t search(NodeId node, Field& field) const;
    /// The same from any node.
    std::uint32_t cost_from(NodeId from, Field& field) const;
    /// The links of a node that begin cheapest ways.
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
    std::vector<std::uint32_t> place_;  ///< by node, among those that pass messages on
    std::uint32_t passing_{0};          ///< how many do
    // Links between nodes that pass messages on, by node: a switch has few of these, and many devices.
    std::vector<std::vector<LinkId>> onwards_;
    std::vector<std::vector<LinkId>> back_;  ///< likewise those into any node
    std::unordered_map<NodeId, Field> fields_;
    std::vector<LinkId> candidates_;
    std::vector<NodeId> hubs_;
};

}  // namespace dse::netsim::flow
