#include "dse/netsim/flow/link_graph.hpp"

#include <gtest/gtest.h>

namespace dse::netsim::flow {
namespace {

TEST(LinkGraph, ACableIsALinkEitherWay) {
    LinkGraph graph;
    const NodeId a = graph.add_node(Node::Kind::endpoint, "a");
    const NodeId b = graph.add_node(Node::Kind::hub, "b", 3);
    const LinkId there = graph.add_cable({a, b, BytesPerSecond{5.0}, Seconds{1e-6}, 2});
    ASSERT_EQ(graph.links().size(), 2U);
    const Link& back = graph.links()[there.index() + 1];
    EXPECT_EQ(back.from, b);
    EXPECT_EQ(back.to, a);
    EXPECT_EQ(back.capacity.value(), 5.0);
    EXPECT_EQ(back.cost, 2U);
    EXPECT_EQ(graph.node(a).outgoing, std::vector<LinkId>{there});
    EXPECT_EQ(graph.node(b).incoming, std::vector<LinkId>{there});
    EXPECT_EQ(graph.node(b).group, 3U);
}

}  // namespace
}  // namespace dse::netsim::flow
