#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dse/graph/graph.hpp"

namespace dse::frontend {

/// Deduplicates the works, buffers and names of a graph: even a program with a hundred layers has few
/// distinct ones.
class GraphTables {
  public:
    explicit GraphTables(graph::Graph& graph);

    graph::WorkId work(const graph::Work& work);
    /// Adds a work that is not shared and may be modified later.
    graph::WorkId own_work(const graph::Work& work);
    graph::BufferId buffer(graph::MemoryKind kind, Bytes size);
    graph::NameId name(std::string_view text);
    graph::Graph& graph() { return graph_; }

  private:
    static constexpr std::size_t most_numbers = 14;
    using Key = std::array<double, most_numbers>;
    static Key key_of(const graph::Work& work);

    graph::Graph& graph_;
    std::map<Key, graph::WorkId> works_;
    std::map<std::pair<graph::MemoryKind, double>, graph::BufferId> buffers_;
    std::unordered_map<std::string, graph::NameId> names_;
};

}  // namespace dse::frontend
