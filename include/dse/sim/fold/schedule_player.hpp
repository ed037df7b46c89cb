#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/sim/durations.hpp"
#include "dse/sim/fold/task_operators.hpp"
#include "dse/sim/fold/transfer_log.hpp"
#include "dse/workload/graph.hpp"

namespace dse::sim::fold {

/// How far one stage is.
struct StageState {
    std::uint32_t program{0};
    std::uint32_t position{0};  ///< next task
    std::uint32_t end{0};       ///< where it stops
    std::uint32_t sent{0};      ///< messages whose value has been produced
    std::uint32_t settled{0};   ///< of these, with a known start
    std::uint32_t received{0};  ///< messages with a known end
    std::uint32_t consumed{0};  ///< of these, taken by a task
    std::uint32_t posted{
        0};  ///< next task whose message has no known end: a position, `tasks` if there is none
    std::uint32_t tasks{0};
    bool waiting{false};  ///< stopped for want of a message or of a start
    double send_free{0};
    double receive_free{0};
};

struct Jump;

/// Plays the task lists of all stages on operators, with transfers between them: a stage runs until it must
/// wait. Times depend on the task lists alone, not on who runs when.
class SchedulePlayer {
  public:
    /// Sets all streams to 0 and plays every stage's `update`. The arguments must outlive the play.
    void reset(const workload::Graph& graph, const Durations& durations, RegionOperators& regions,
               const RegionTable& table);

    /// Plays until every stage stands at its `end`, or until none can go on.
    void run();

    /// \throws ModelError naming who waits for what when a stage has not played all its tasks
    void check_finished() const;

    /// Plays every stage's `finish`.
    void finish();

    /// The time at which the last stream of the stage is free.
    [[nodiscard]] double last_stream(std::uint32_t stage) const;

    [[nodiscard]] StageState& stage(std::uint32_t i) { return stages_[i]; }
    [[nodiscard]] const StageState& stage(std::uint32_t i) const { return stages_[i]; }
    [[nodiscard]] double* streams(std::uint32_t stage) { return streams_of_.data() + stage * stream_stride_; }
    [[nodiscard]] const double* streams(std::uint32_t stage) const {
        return streams_of_.data() + stage * stream_stride_;
    }
    /// The values that the last pass of this microbatch saved; most_saved() of them have a place.
    [[nodiscard]] double* saved(std::uint32_t stage, std::uint32_t chunk, std::uint32_t microbatch) {
        return saved_.data() +
               ((std::size_t{stage} * chunks_ + chunk) * microbatches_ + microbatch) * most_saved_;
    }
    [[nodiscard]] std::size_t most_saved() const { return most_saved_; }
    /// Goes on as if the stage had played jump.periods more periods, each shifting it by jump.shift. Saved
    /// values are left to the caller.
    void shift_stage(std::uint32_t stage, const Jump& jump);

    [[nodiscard]] TransferLog& sends() { return sends_; }
    [[nodiscard]] TransferLog& receives() { return receives_; }
    [[nodiscard]] std::uint64_t task_visits() const { return task_visits_; }

  private:
    struct Destination {
        std::uint32_t stage{0};
        workload::Task task;
    };

    bool play_task(std::uint32_t stage);
    void play_region(std::uint32_t stage, workload::RegionId region);
    [[nodiscard]] bool must_wait(std::uint32_t stage, const workload::Peer& source);
    [[nodiscard]] const TransferTime& time_of(std::uint32_t sender, workload::Pass pass) const;
    double boundary_of(std::uint32_t stage, const workload::Peer& source);
    void hand_on(std::uint32_t stage, const workload::Task& task, double value);
    void settle(std::uint32_t sender);
    bool settle_first(std::uint32_t sender);
    void transfer(std::uint32_t sender, const Destination& to);
    void wake(std::uint32_t stage);
    /// Moves the stage's posted receive on to the first task at or after it that takes a message.
    void post_next(std::uint32_t stage);
    std::optional<double>& local(const workload::Task& task);
    [[nodiscard]] std::string waiting_for(std::uint32_t stage) const;

    const workload::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    RegionOperators* regions_{nullptr};
    TaskOperators operators_;
    std::size_t stream_count_{0};
    std::size_t stream_stride_{0};
    std::size_t chunks_{0};
    std::size_t microbatches_{0};
    std::size_t most_saved_{0};
    std::size_t most_tasks_{0};
    std::vector<StageState> stages_;
    std::vector<double> streams_of_;
    std::vector<double> saved_;
    std::vector<Destination> destinations_;     // of the messages sent, by stage and number
    std::vector<std::optional<double>> local_;  // values handed over inside the only stage
    TransferLog sends_;
    TransferLog receives_;
    std::vector<std::uint32_t> runnable_;
    std::vector<std::uint32_t> to_settle_;
    std::uint64_t task_visits_{0};
};

}  // namespace dse::sim::fold
