#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/base/units.hpp"

namespace dse::netsim::flow {

using NodeId = Id<struct NodeTag>;
using LinkId = Id<struct LinkTag>;

/// A node of the network.
struct Node {
    enum class Kind : std::uint8_t {
        endpoint,  ///< a device that does not forward messages
        relay,     ///< a device that forwards messages
        hub,       ///< a switch
    };
    std::string name;
    Kind kind{Kind::hub};
    /// Index of the dragonfly group or pod; 0 in other topologies.
    std::uint32_t group{0};
    std::vector<LinkId> outgoing;  ///< in the order of addition
    std::vector<LinkId> incoming;
};

/// One direction of a cable.
struct Link {
    NodeId from;
    NodeId to;
    BytesPerSecond capacity;  ///< > 0
    Seconds latency;          ///< >= 0
    std::uint32_t cost{1};    ///< cost for routing, which takes the cheapest path; > 0
};

/// A directed graph of devices and switches.
class LinkGraph {
  public:
    NodeId add_node(Node::Kind kind, std::string name, std::uint32_t group = 0);
    LinkId add_link(const Link& link);
    /// Adds both directions. \return the given direction; the opposite one has the next id
    LinkId add_cable(const Link& link);

    /// \param factor  factor on the capacity, > 0
    void degrade(LinkId link, double factor);
    /// Removes the link from routing.
    void cut(LinkId link);

    [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id.index()]; }
    [[nodiscard]] const Link& link(LinkId id) const { return links_[id.index()]; }

  private:
    std::vector<Node> nodes_;
    std::vector<Link> links_;
};

}  // namespace dse::netsim::flow
