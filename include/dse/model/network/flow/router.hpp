#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dse/hardware/topology_spec.hpp"
#include "dse/model/network/flow/fluid_network.hpp"
#include "dse/model/network/flow/link_graph.hpp"

namespace dse::model::flow {

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
        std::vector<std::uint32_t> cost;                              ///< by node; final up to `settled`
        std::vector<std::pair<std::uint32_t, std::uint32_t>> border;  ///< (cost, node), a heap
        std::uint32_t settled{0};
    };

    Field& field_of(NodeId to);
    /// Searches on until the cost of a node that passes messages on is final. \return it; the largest number
    /// where there is no way
    std::uint32_t search(NodeId node, Field& field) const;
    /// The same between any two nodes.
    std::uint32_t cost_between(NodeId from, NodeId to, Field& field) const;
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
    // Links between nodes that pass messages on, by node: a switch has few of these, and many devices.
    std::vector<std::vector<LinkId>> onwards_;
    std::vector<std::vector<LinkId>> back_;  ///< likewise those into any node
    std::unordered_map<NodeId, Field> fields_;
    std::vector<LinkId> candidates_;
    std::vector<NodeId> hubs_;
};

}  // namespace dse::model::flow
