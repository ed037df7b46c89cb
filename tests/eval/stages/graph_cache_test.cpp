#include "eval/stages/graph_cache.hpp"

#include <list>

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

graph::Graph graph_of(std::size_t works) {
    graph::Graph graph;
    graph.works.resize(works);
    return graph;
}

TEST(GraphCache, IsFullByTheWorksOfItsGraphs) {
    GraphCache<int> cache;
    const graph::Graph small = graph_of(1);
    cache[small] = 7;
    EXPECT_FALSE(cache.is_full());
    std::list<graph::Graph> large;
    for (int i = 0; i < 1000 && !cache.is_full(); ++i) cache[large.emplace_back(graph_of(10'000))] = i;
    EXPECT_EQ(large.size(), 7U) << "2^16 works";
    EXPECT_EQ(cache[small], 7) << "valid until it is cleared";
    cache.clear();
    EXPECT_FALSE(cache.is_full());
    EXPECT_EQ(cache[small], 0);
}

TEST(GraphCache, CountsAGraphOnce) {
    GraphCache<int> cache;
    const graph::Graph graph = graph_of(1 << 15);
    for (int i = 0; i < 10; ++i) cache[graph] = i;
    EXPECT_FALSE(cache.is_full());
}

}  // namespace
}  // namespace dse::eval
