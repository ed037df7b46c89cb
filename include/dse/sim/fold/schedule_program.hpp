#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"

namespace dse::sim::fold {

/// Slots of the boundary values of tasks: two that are no messages, then those of all stages.
inline constexpr std::uint32_t no_value = 0;  ///< input of tasks at the ends of the pipeline: always absent
inline constexpr std::uint32_t nobody = 1;    ///< output of tasks at the ends of the pipeline: never read

/// A task to run, or a message to time. If two tasks run together, the first step is a `pair` and the next
/// one its `second`.
struct Step {
    enum class Kind : std::uint8_t { task, transfer, pair, second };
    Kind kind{Kind::task};
    bool is_backward{false};   ///< a transfer towards the model's input
    std::uint16_t variant{0};  ///< for a task: which of the stage's operators
    std::uint32_t stage{0};    ///< stage that runs the task, or sends
    std::uint32_t in{0};       ///< slot of a task's incoming boundary value, or of the message
    std::uint32_t out{0};      ///< slot of a task's outgoing boundary value; for a transfer: the receiver's
                               ///< end of the lane
    std::uint32_t microbatch{0};  ///< for a task: chunk and microbatch, as an index of the stage's saved
                                  ///< values; for a transfer: the sender's end of the lane
};

/// Calls task(step), pair(step, second) and transfer(step) in the order of the steps.
template <class PlayTask, class PlayPair, class PlayTransfer>
void for_each_step(std::span<const Step> steps, PlayTask task, PlayPair pair, PlayTransfer transfer) {
    for (const Step& step : steps) {
        if (step.kind == Step::Kind::task) {
            task(step);
        } else if (step.kind == Step::Kind::transfer) {
            transfer(step);
        } else if (step.kind == Step::Kind::pair) {
            pair(step, (&step)[1]);
        }
    }
}

/// Number of operators per chunk: one per region.
constexpr std::size_t variants_a_chunk(const graph::PipelineSchedule& schedule) {
    return graph::overlaps_tasks(schedule) ? graph::regions_a_chunk : graph::regions_of_passes;
}
constexpr std::size_t variant_of(const graph::Task& task, const graph::PipelineSchedule& schedule) {
    return task.chunk * variants_a_chunk(schedule) + graph::region_number(task, schedule);
}

/// Whether a variant is the last backward or weight pass of a chunk (graph::is_peeled).
constexpr bool is_of_last_pass(std::size_t variant, std::size_t variants_a_chunk) {
    const std::size_t number = variant % variants_a_chunk;
    return number > 1 && number + 1 < graph::regions_a_chunk && number % 2 == 1;
}

/// A value that is produced before a mark and needed after it.
struct LiveValue {
    enum class Kind : std::uint8_t { ready, end, saved };
    Kind kind{Kind::ready};
    std::uint16_t variant{0};  ///< for saved values: variant of the task that needs them
    std::uint32_t stage{0};    ///< sender, or owner of the saved values
    std::uint32_t number{0};   ///< slot, or `Step::microbatch`
    std::uint32_t a_round{0};  ///< increment of `number` per round
    friend bool operator==(const LiveValue&, const LiveValue&) = default;
};

/// Rounds that repeat the same steps, whose numbers grow by the same amounts from round to round. Round r
/// starts at mark r. The steps of the first rounds are listed, or of all; what follows the last round follows
/// the last listed one in the list.
struct SteadyRounds {
    std::uint32_t rounds{0};                  ///< 0: none
    std::vector<std::uint32_t> marks;         ///< by listed round: index of its first step; then the end
    std::vector<LiveValue> live;              ///< live values at mark 0
    std::vector<std::uint32_t> settled;       ///< by lane end: number of timed messages at mark 0
    std::vector<std::uint32_t> sent_a_round;  ///< per round, by lane end; last: values passed inside a stage
    std::vector<std::uint32_t> received_a_round;  ///< per round, by lane end
    std::vector<std::uint32_t> first_task;        ///< by stage: position at mark 0
    std::uint32_t tasks_a_round{0};
    std::uint32_t microbatches_a_round{0};

    /// Number of rounds whose steps are listed.
    [[nodiscard]] std::uint32_t listed() const {
        return rounds == 0 ? 0 : static_cast<std::uint32_t>(marks.size() - 1);
    }
};

/// Consecutive tasks of one stage that use the same operator, each followed by its message if it sends one.
/// All their numbers grow by the same amounts from round to round.
struct StepRun {
    std::size_t begin{0};         ///< first step
    std::uint32_t rounds{0};      ///< tasks
    std::uint32_t steps{1};       ///< per round
    std::uint32_t microbatch{1};  ///< by how much Step::microbatch of the tasks grows per round, modulo 2^32
    [[nodiscard]] std::size_t end() const { return begin + std::size_t{rounds} * steps; }
};

/// What messages between stages wait for, besides their values.
enum class Sending : std::uint8_t {
    on_lanes,          ///< both ends of their lane
    in_program_order,  ///< the sender's stream on which all messages are issued (Graph::message_stream)
};
inline Sending sending_of(const graph::Graph& graph) {
    return graph.message_stream ? Sending::in_program_order : Sending::on_lanes;
}

/// A schedule without times: an order of its tasks and messages in which everything that a step needs has
/// been computed before. It depends only on the schedule, on how messages are sent and on which of them block
/// their sender, so that many points can share it.
class ScheduleProgram {
  public:
    /// Lists all steady rounds.
    /// \throws ModelError if the schedule deadlocks, naming which stage waits for what
    void compile(const graph::PipelineSchedule& schedule, const Durations& durations,
                 Sending sending = Sending::on_lanes);

    /// Without those of the steady rounds that are not listed.
    [[nodiscard]] std::span<const Step> steps() const { return steps_; }
    /// \param made  of a round that is not listed: filled with its steps; the span refers to them
    [[nodiscard]] std::span<const Step> round(std::uint32_t number, std::vector<Step>& made) const;
    [[nodiscard]] const SteadyRounds& steady() const { return steady_; }
    /// Long runs of tasks of one stage before the last passes, in the order of the steps. None if there are
    /// steady rounds, or if saved values are written twice (graph::PipelineSchedule::splits_backward).
    [[nodiscard]] std::span<const StepRun> runs() const { return runs_; }
    /// Number of steps before the first last backward or weight pass of a chunk. All rounds are among them.
    [[nodiscard]] std::size_t before_last_passes() const { return before_last_passes_; }
    [[nodiscard]] std::size_t slots() const { return first_slot_.back(); }
    /// Slot of the first message from a stage's end of a lane; the others follow in the order of issue.
    [[nodiscard]] std::uint32_t first_slot(std::uint32_t lane_end) const { return first_slot_[lane_end]; }
    /// Slot of the incoming boundary value of a stage's task.
    [[nodiscard]] std::uint32_t incoming(std::uint32_t stage, std::size_t position) const;
    /// Whether a task of a stage uses a variant.
    [[nodiscard]] bool uses(std::uint32_t stage, std::size_t variant) const {
        return uses_[stage * variants_ + variant] != 0;
    }
    [[nodiscard]] std::size_t variants() const { return variants_; }

  private:
    friend class ScheduleCompiler;
    friend class RoundInserter;

    /// By how much the numbers of a step grow per round.
    struct Growth {
        std::uint32_t in{0};
        std::uint32_t out{0};
        std::uint32_t microbatch{0};
    };

    [[nodiscard]] std::uint32_t shift_of(std::uint32_t slot) const;

    std::vector<Step> steps_;
    SteadyRounds steady_;
    std::vector<Growth> growth_;  // of the last listed round's steps; empty if all rounds are listed
    std::vector<StepRun> runs_;
    std::size_t before_last_passes_{0};
    // By lane end; then of the values passed inside a stage; then the end.
    std::vector<std::uint32_t> first_slot_;
    std::vector<std::uint32_t> first_task_;  // by stage: index into incoming_
    std::vector<std::uint32_t> incoming_;    // of tasks that are not in rounds without a list
    std::vector<std::uint8_t> uses_;
    std::size_t variants_{0};
};

}  // namespace dse::sim::fold
