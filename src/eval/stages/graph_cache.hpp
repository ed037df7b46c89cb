#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "dse/graph/graph.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// What a graph is at the moment: its numbers, and its schedule, which may change without them.
struct GraphState {
    std::uint64_t revision{0};  ///< 0: none
    graph::ScheduleKind schedule{};
    std::uint32_t microbatches{0};
    friend bool operator==(const GraphState&, const GraphState&) = default;
};
inline GraphState state_of(const Job& job, const graph::Graph& graph) {
    return {graph.revision, job.workload.layout.schedule, graph.schedule.microbatches};
}

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
