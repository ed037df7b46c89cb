#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/fold/region_table.hpp"
#include "dse/sim/memory_peak.hpp"

namespace dse::sim::fold {

/// Effect of a part of a program on memory, relative to what was allocated before it.
struct MemorySummary {
    BytesByKind net{};  ///< allocated minus freed
    double net_total{0};
    double peak{0};         ///< largest total above what was allocated before, >= 0
    BytesByKind at_peak{};  ///< by kind, at the first moment of that peak
    double host_net{0};     ///< same for the host's memory, whose peak may be at another moment
    double host_peak{0};

    /// Appends the part of the program that follows, repeated. \param count  >= 0
    void then(const MemorySummary& next, std::int64_t count = 1);
    /// The summary of `count` repetitions of this part, count >= 0.
    [[nodiscard]] MemorySummary repeated(std::int64_t count) const;
};

/// Summaries of the regions of one graph, each built once, and the memory peaks of stages computed from them.
class MemoryFold {
  public:
    /// \param graph, table  must outlive the evaluation
    void reset(const graph::Graph& graph, const RegionTable& table);

    /// Peak of the stage with the highest one.
    MemoryPeak peak();

    /// Summary of one stage, including its resident buffers.
    MemorySummary stage(std::uint32_t stage);

    [[nodiscard]] std::uint64_t node_visits() const { return node_visits_; }

  private:
    struct Entry {
        bool built{false};
        MemorySummary summary;
    };
    /// A stretch of a stage's tasks: `count` times the `length` tasks that follow `first`. The steady phase
    /// of a schedule is one run of rounds, whose tasks are runs themselves.
    struct Run {
        std::uint32_t first{0};
        std::uint32_t length{0};
        std::uint32_t count{0};
        friend bool operator==(const Run&, const Run&) = default;
    };
    /// The runs of a stage: those before, in one round of and after the steady phase.
    struct StageRuns {
        std::vector<Run> before{};
        std::vector<Run> round{};
        std::vector<Run> after{};
        bool like_stage_before{false};  ///< the same tasks in the same order
    };
    struct ScheduleRuns {
        std::uint64_t identity{0};
        std::vector<StageRuns> stages;
    };
    [[nodiscard]] static std::vector<Run> find_runs(const graph::PipelineSchedule& schedule,
                                                    std::uint32_t stage, std::size_t begin, std::size_t end);
    [[nodiscard]] static bool begin_alike(const graph::PipelineSchedule& schedule, std::uint32_t stage,
                                          std::span<const Run> runs);
    [[nodiscard]] static std::vector<StageRuns> runs_of(const graph::PipelineSchedule& schedule);
    void find_runs();
    [[nodiscard]] const StageRuns& runs_of_stage(std::uint32_t stage) const {
        return schedules_[latest_].stages[stage];
    }
    const MemorySummary& of(graph::RegionId region, std::uint32_t program);
    const MemorySummary& of_task(std::uint32_t stage, const graph::Task& task);
    MemorySummary build(const graph::Region& region, std::uint32_t program);
    void add(const graph::Item& item, MemorySummary& sum) const;
    void add_runs(std::uint32_t stage, std::span<const Run> runs, MemorySummary& sum);
    void add_each(std::uint32_t stage, std::span<const graph::Task> tasks, MemorySummary& sum);

    const graph::Graph* graph_{nullptr};
    const RegionTable* table_{nullptr};
    std::vector<Entry> entries_;  // by slot
    std::vector<ScheduleRuns> schedules_;
    std::size_t latest_{0};  // that of the graph
    std::uint64_t node_visits_{0};
};

}  // namespace dse::sim::fold
