#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"

namespace dse::sim::fold {

/// A graph with its current numbers, so that what follows from them can be kept.
struct GraphNumbers {
    const graph::Graph* graph{nullptr};
    std::uint64_t revision{0};

    static GraphNumbers of(const graph::Graph& graph) { return {&graph, graph.revision}; }
    /// Whether a graph is known to be this one and to have the same numbers.
    [[nodiscard]] bool is(const graph::Graph& other) const {
        return graph == &other && revision != 0 && revision == other.revision;
    }
};

/// Which times have changed from one evaluation of a graph to the next, usually on another machine: what is
/// known of regions in which none has changed remains valid. Evaluations are numbered from 1.
class TimeChanges {
  public:
    /// Starts the next evaluation. The graph must outlive it. Another graph, or one with other numbers
    /// (Graph::revision), changes all times.
    void read(const graph::Graph& graph, const Durations& durations);

    /// Number of the current evaluation.
    [[nodiscard]] std::uint64_t now() const { return now_; }

    /// Whether a time in a region, or in what it repeats, has changed since an earlier evaluation.
    [[nodiscard]] bool have_changed(graph::RegionId region, std::uint32_t program, std::uint64_t since) const;

  private:
    GraphNumbers of_;
    std::uint64_t now_{0};
    std::uint64_t first_{0};                 // first evaluation of the graph with these numbers
    std::vector<NodeTime> times_;            // by work
    std::vector<std::uint64_t> changed_at_;  // by work
};

}  // namespace dse::sim::fold
