#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dse/workload/graph.hpp"

namespace dse::frontend {

/// Works, buffers and names of a graph, each stored once: a program of a hundred layers has few distinct
/// ones.
class GraphTables {
  public:
    explicit GraphTables(workload::Graph& graph);

    workload::WorkId work(const workload::Work& work);
    /// A work that is not shared, to be changed later.
    workload::WorkId own_work(const workload::Work& work);
    workload::BufferId buffer(workload::MemoryKind kind, Bytes size);
    workload::NameId name(std::string_view text);
    workload::Graph& graph() { return graph_; }

  private:
    static constexpr std::size_t most_numbers = 13;
    using Key = std::array<double, most_numbers>;
    static Key key_of(const workload::Work& work);

    workload::Graph& graph_;
    std::map<Key, workload::WorkId> works_;
    std::map<std::pair<workload::MemoryKind, double>, workload::BufferId> buffers_;
    std::unordered_map<std::string, workload::NameId> names_;
};

}  // namespace dse::frontend
