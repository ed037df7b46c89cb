#pragma once

#include <cstddef>
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
    Kept& operator[](const graph::Graph& graph) {
        const auto [kept, is_new] = kept_.try_emplace(&graph);
        if (is_new) works_ += graph.works.size();
        return kept->second;
    }

    /// Whether the graphs that were seen, and what all stages keep of them, take as much memory as they may:
    /// some twelve kilobytes a work, under a gigabyte in all. A sweep over layouts of one model has a few
    /// hundred graphs of fifty works; one over models and stacks has tens of thousands.
    [[nodiscard]] bool is_full() const {
        constexpr std::size_t most_works = std::size_t{1} << 16U;
        return works_ >= most_works;
    }
    void clear() {
        kept_.clear();
        works_ = 0;
    }

  private:
    std::unordered_map<const graph::Graph*, Kept> kept_;
    std::size_t works_{0};  ///< of all graphs
};

}  // namespace dse::eval
