#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/schedule_program.hpp"
#include "dse/sim/fold/schedule_state.hpp"
#include "dse/sim/fold/task_log.hpp"
#include "dse/sim/fold/task_operators.hpp"

namespace dse::sim::fold {

/// Simulates the steps of a schedule on operators.
class SchedulePlayer {
  public:
    /// Sets all streams to 0 and plays every stage's `update`. The arguments must outlive the play.
    /// \param log  filled where it is not null
    void reset(const graph::Graph& graph, const Durations& durations, const ScheduleProgram& program,
               RegionOperators& regions, const RegionTable& table, TaskLog* log = nullptr);

    /// Simulates steps [begin, end) of the program.
    void play(std::size_t begin, std::size_t end) { play(program_->steps().subspan(begin, end - begin)); }
    /// \param steps  of the program, or ScheduleProgram::round()
    void play(std::span<const Step> steps);

    /// Runs `finish` of every stage.
    void finish();

    /// When a stage and stage `stages - 1 - stage` start the collective between them (graph::meeting_pairs);
    /// 0 if there is none.
    [[nodiscard]] double meets_at(std::uint32_t stage) const {
        const std::size_t pair = std::min(stage, graph_->schedule.stages - 1 - stage);
        return pair < meets_at_.size() ? meets_at_[pair] : 0.0;
    }

    /// The time at which the last stream of the stage is free.
    [[nodiscard]] double last_stream(std::uint32_t stage) const;

    [[nodiscard]] const ScheduleProgram& program() const { return *program_; }
    [[nodiscard]] ScheduleState& state() { return state_; }
    [[nodiscard]] const ScheduleState& state() const { return state_; }
    [[nodiscard]] const TaskOperator& operator_of(std::uint32_t stage, std::size_t variant) const {
        return operators_.of(stage, variant);
    }
    [[nodiscard]] const double* columns_of(const TaskOperator& played) const {
        return regions_->pool().at(played.columns);
    }
    [[nodiscard]] const TransferTime& time_of(const Step& transfer) const {
        return (transfer.is_backward ? durations_->backward : durations_->forward)[transfer.microbatch];
    }
    [[nodiscard]] const graph::Graph& graph() const { return *graph_; }
    [[nodiscard]] const Durations& durations() const { return *durations_; }
    /// Largest number of values that a pass saves.
    [[nodiscard]] std::size_t most_saved() const { return most_saved_; }
    [[nodiscard]] std::size_t streams() const { return stream_count_; }
    [[nodiscard]] std::optional<graph::StreamId> message_stream() const { return graph_->message_stream; }
    /// Resets another state to the same shape.
    void reset_like(ScheduleState& other) const;
    void count_task() { ++task_visits_; }
    /// nullptr: none is kept
    [[nodiscard]] TaskLog* log() const { return log_; }
    [[nodiscard]] std::uint64_t task_visits() const { return task_visits_; }

  private:
    // Inlined into play(), which is compiled for wide registers too.
    inline void play_task(const Step& step);
    inline void play_pair(const Step& step, const Step& second);
    inline void play_transfer(const Step& step);
    /// A message that waits only for its value and its sender's queue (Graph::message_stream).
    inline void play_queued(const Step& step);
    inline void hold_compute(const Step& transfer, double start, const TransferTime& time);
    void play_region(std::uint32_t stage, graph::RegionId region);

    const graph::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    const ScheduleProgram* program_{nullptr};
    RegionOperators* regions_{nullptr};
    TaskLog* log_{nullptr};
    TaskOperators operators_;
    ScheduleState state_;
    std::size_t stream_count_{0};
    std::size_t most_saved_{0};
    std::vector<double> meets_at_;  // by pair of stages
    std::uint64_t task_visits_{0};
};

}  // namespace dse::sim::fold
