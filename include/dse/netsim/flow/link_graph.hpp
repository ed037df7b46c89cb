#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/base/units.hpp"

namespace dse::netsim::flow {

using NodeId = Id<struct NodeTag>;
using LinkId = Id<struct LinkTag>;

/// Something that links join.
struct Node {
    enum class Kind : std::uint8_t {
        endpoint,  ///< a device: messages begin and end here, and none passes through
        relay,     ///< a device that passes messages on
        hub,       ///< a switch
    };
    std::string name;
    Kind kind{Kind::hub};
    /// Hubs and devices of one dragonfly group or pod have the same; 0 where that means nothing.
    std::uint32_t group{0};
    std::vector<LinkId> outgoing;  ///< in the order in which they were added
    std::vector<LinkId> incoming;
};

/// One direction of a cable.
struct Link {
    NodeId from;
    NodeId to;
    BytesPerSecond capacity;  ///< > 0
    Seconds latency;          ///< >= 0
    std::uint32_t cost{1};    ///< what routing adds up: the cheapest way is taken; > 0
};

/// A directed graph of devices and switches.
class LinkGraph {
  public:
    NodeId add_node(Node::Kind kind, std::string name, std::uint32_t group = 0);
    LinkId add_link(const Link& link);
    /// Both directions. \return the one as given; the other follows it
    LinkId add_cable(const Link& link);

    /// \param factor  of the capacity, > 0
    void degrade(LinkId link, double factor);
    /// No route takes it any more.
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
