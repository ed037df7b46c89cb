#pragma once

#include <cstddef>
#include <unordered_map>

#include "dse/graph/graph.hpp"

namespace dse::eval {

/// What a stage keeps of graphs, by their places; whether it still holds, their revisions say: one never
/// comes back.
template <class Kept>
class GraphCache {
  public:
    /// Valid until tidy() or clear().
    Kept& operator[](const graph::Graph& graph) { return kept_[&graph]; }

    /// Graphs live as long as the structures of the frontend, which are few. Between two jobs.
    void tidy() {
        constexpr std::size_t most_graphs = 8192;
        if (kept_.size() >= most_graphs) kept_.clear();
    }
    void clear() { kept_.clear(); }

  private:
    std::unordered_map<const graph::Graph*, Kept> kept_;
};

}  // namespace dse::eval
