#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/fold/region_table.hpp"
#include "dse/sim/memory_peak.hpp"

namespace dse::sim::fold {

/// What a stretch of a program does to memory, against what was allocated before it.
struct MemorySummary {
    BytesByKind net{};  ///< allocated minus freed
    double net_total{0};
    double peak{0};         ///< most total above what was there before, >= 0
    BytesByKind at_peak{};  ///< by kind at the first moment of that peak
    double host_net{0};     ///< the same of the host's memory, which has moments of its own
    double host_peak{0};

    /// Goes on with what comes after this stretch.
    void then(const MemorySummary& next);
    /// This stretch `count` times, count >= 0.
    [[nodiscard]] MemorySummary repeated(std::int64_t count) const;
};

/// Summaries of the regions of one graph, each built once; and the peak of a stage from them.
class MemoryFold {
  public:
    /// graph and table must outlive the evaluation.
    void reset(const graph::Graph& graph, const RegionTable& table);

    /// The fullest stage.
    MemoryPeak peak();

    /// One stage, what is resident included.
    MemorySummary stage(std::uint32_t stage);

    [[nodiscard]] std::uint64_t node_visits() const { return node_visits_; }

  private:
    struct Entry {
        bool built{false};
        MemorySummary summary;
    };
    const MemorySummary& of(graph::RegionId region, std::uint32_t program);
    MemorySummary build(const graph::Region& region, std::uint32_t program);
    MemorySummary node(const graph::Item& item) const;
    void add_tasks(std::uint32_t stage, std::size_t begin, std::size_t end, MemorySummary& sum);
    void add_each(std::uint32_t stage, std::span<const graph::Task> tasks, MemorySummary& sum);

    const graph::Graph* graph_{nullptr};
    const RegionTable* table_{nullptr};
    std::vector<Entry> entries_;  // by slot
    std::uint64_t node_visits_{0};
};

}  // namespace dse::sim::fold
