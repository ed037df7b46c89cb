#include "dse/netsim/flow/link_graph.hpp"

#include <utility>

#include "dse/base/check.hpp"

namespace dse::netsim::flow {

NodeId LinkGraph::add_node(Node::Kind kind, std::string name, std::uint32_t group) {
    nodes_.push_back({std::move(name), kind, group, {}, {}});
    return NodeId{nodes_.size() - 1};
}

LinkId LinkGraph::add_link(const Link& link) {
    DSE_EXPECT(link.capacity > BytesPerSecond{} && link.latency >= Seconds{} && link.cost > 0);
    DSE_EXPECT(link.from.index() < nodes_.size() && link.to.index() < nodes_.size());
    const LinkId id{links_.size()};
    links_.push_back(link);
    nodes_[link.from.index()].outgoing.push_back(id);
    nodes_[link.to.index()].incoming.push_back(id);
    return id;
}

LinkId LinkGraph::add_cable(const Link& link) {
    const LinkId there = add_link(link);
    Link back = link;
    std::swap(back.from, back.to);
    add_link(back);
    return there;
}

void LinkGraph::degrade(LinkId link, double factor) {
    DSE_EXPECT(factor > 0.0);
    links_[link.index()].capacity *= factor;
}

void LinkGraph::cut(LinkId link) {
    std::erase(nodes_[links_[link.index()].from.index()].outgoing, link);
    std::erase(nodes_[links_[link.index()].to.index()].incoming, link);
}

}  // namespace dse::netsim::flow
