#pragma once

#include <cstddef>
#include <unordered_set>

#include "dse/graph/graph.hpp"

namespace dse::eval {

/// Bounds the memory of a sweep with many graphs. A graph and what the stages keep of it take some seven
/// kilobytes a work. A sweep over layouts of one model has a few hundred graphs of fifty works; one over
/// models and stacks has tens of thousands.
class GraphBudget {
  public:
    void count(const graph::Graph& graph) {
        if (seen_.insert(&graph).second) works_ += graph.works.size();
    }
    /// Whether the graphs take as much as they may: under a gigabyte.
    [[nodiscard]] bool is_spent() const {
        constexpr std::size_t most_works = std::size_t{1} << 16U;
        return works_ >= most_works;
    }
    void clear() {
        seen_.clear();
        works_ = 0;
    }

  private:
    std::unordered_set<const graph::Graph*> seen_;
    std::size_t works_{0};
};

}  // namespace dse::eval
