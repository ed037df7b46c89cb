#pragma once

#include <cstdint>
#include <unordered_map>

#include "dse/graph/graph.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// The current state of a graph: its numbers, and its schedule, which can change independently.
struct GraphState {
    std::uint64_t revision{0};  ///< 0: none
    graph::ScheduleKind schedule{};
    std::uint32_t microbatches{0};
    friend bool operator==(const GraphState&, const GraphState&) = default;
};
inline GraphState state_of(const Job& job, const graph::Graph& graph) {
    return {graph.revision, job.workload.layout.schedule, graph.schedule.microbatches};
}

/// Data that a stage caches for graphs, by their addresses. Revisions, which are never reused, tell whether
/// the data are still valid.
template <class Kept>
class GraphCache {
  public:
    /// Valid until clear().
    Kept& operator[](const graph::Graph& graph) { return kept_[&graph]; }
    void clear() { kept_.clear(); }

  private:
    std::unordered_map<const graph::Graph*, Kept> kept_;
};

}  // namespace dse::eval
