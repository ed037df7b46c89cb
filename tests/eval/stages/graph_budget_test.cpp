#include "eval/stages/graph_budget.hpp"

#include <list>

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

graph::Graph graph_of(std::size_t works) {
    graph::Graph graph;
    graph.works.resize(works);
    return graph;
}

TEST(GraphBudget, IsSpentByTheWorksOfItsGraphs) {
    GraphBudget budget;
    std::list<graph::Graph> graphs;
    for (int i = 0; i < 1000 && !budget.is_spent(); ++i) budget.count(graphs.emplace_back(graph_of(10'000)));
    EXPECT_EQ(graphs.size(), 7U) << "2^16 works";
    budget.clear();
    EXPECT_FALSE(budget.is_spent());
}

TEST(GraphBudget, CountsAGraphOnce) {
    GraphBudget budget;
    const graph::Graph graph = graph_of(1 << 15);
    for (int i = 0; i < 10; ++i) budget.count(graph);
    EXPECT_FALSE(budget.is_spent());
}

}  // namespace
}  // namespace dse::eval
