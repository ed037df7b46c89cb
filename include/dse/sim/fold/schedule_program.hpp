#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"

namespace dse::sim::fold {

/// Slots of the values that tasks hand on: two without a message, then those of all stages.
inline constexpr std::uint32_t no_value = 0;  ///< never there: what the ends of a pipeline wait for
inline constexpr std::uint32_t nobody = 1;    ///< read by nobody: what they hand on

/// A task to be played, or a message to be given its time. Of two tasks that are played together the first
/// step is a `pair`, and the next one its `second`.
struct Step {
    enum class Kind : std::uint8_t { task, transfer, pair, second };
    Kind kind{Kind::task};
    bool is_backward{false};   ///< a transfer towards the model's input
    std::uint16_t variant{0};  ///< of a task: which of the stage's operators
    std::uint32_t stage{0};    ///< that plays the task, or sends
    std::uint32_t in{0};       ///< slot of the boundary value of a task, or of the message
    std::uint32_t out{0};      ///< slot where a task's boundary value goes; of a transfer: the receiver's end
                               ///< of the lane
    std::uint32_t microbatch{0};  ///< of a task: chunk and microbatch, as a number of saved values of its
                                  ///< stage; of a transfer: the sender's end of the lane
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

/// The operators that a chunk may be played on: those of its regions.
constexpr std::size_t variants_a_chunk(const graph::PipelineSchedule& schedule) {
    return graph::overlaps_tasks(schedule) ? graph::regions_a_chunk : graph::regions_of_passes;
}
constexpr std::size_t variant_of(const graph::Task& task, const graph::PipelineSchedule& schedule) {
    return task.chunk * variants_a_chunk(schedule) + graph::region_number(task, schedule);
}

/// A value that is there before a mark and needed after it.
struct LiveValue {
    enum class Kind : std::uint8_t { ready, end, saved };
    Kind kind{Kind::ready};
    std::uint16_t variant{0};  ///< of the task that needs saved values
    std::uint32_t stage{0};    ///< sender, or owner of the saved values
    std::uint32_t number{0};   ///< slot, or `Step::microbatch`
    std::uint32_t a_round{0};  ///< what one round adds to the number
    friend bool operator==(const LiveValue&, const LiveValue&) = default;
};

/// Rounds that are the same steps over and over, each with numbers that are larger by the same amounts. Marks
/// lie between them: mark r is where round r begins.
struct SteadyRounds {
    std::uint32_t rounds{0};                  ///< 0: none
    std::vector<std::uint32_t> marks;         ///< rounds + 1 indices of steps
    std::vector<LiveValue> live;              ///< at mark 0
    std::vector<std::uint32_t> settled;       ///< by lane end: messages with a time, at mark 0
    std::vector<std::uint32_t> sent_a_round;  ///< by lane end, and of what is handed over inside a stage
    std::vector<std::uint32_t> first_task;    ///< by stage: position at mark 0
    std::uint32_t tasks_a_round{0};
    std::uint32_t microbatches_a_round{0};
};

/// What messages between stages wait for beside their values.
enum class Sending : std::uint8_t {
    on_lanes,          ///< for their lane at both ends
    in_program_order,  ///< for the stream of their sender that all are issued on (Graph::message_stream)
};
inline Sending sending_of(const graph::Graph& graph) {
    return graph.message_stream ? Sending::in_program_order : Sending::on_lanes;
}

/// A schedule without times: one order in which its tasks can be played and its messages sent, such that
/// everything that a step needs is there. Depends on nothing but the schedule, how messages are sent, and
/// which of them keep their sender waiting, so that points share it.
class ScheduleProgram {
  public:
    /// \throws ModelError naming who waits for what where the schedule deadlocks
    void compile(const graph::PipelineSchedule& schedule, const Durations& durations,
                 Sending sending = Sending::on_lanes);

    [[nodiscard]] std::span<const Step> steps() const { return steps_; }
    [[nodiscard]] const SteadyRounds& steady() const { return steady_; }
    [[nodiscard]] std::size_t slots() const { return first_slot_.back(); }
    /// Slot of the first message from a stage's end of a lane; the others follow in the order of issue.
    [[nodiscard]] std::uint32_t first_slot(std::uint32_t lane_end) const { return first_slot_[lane_end]; }
    /// Slot of the boundary value that a stage's task takes.
    [[nodiscard]] std::uint32_t incoming(std::uint32_t stage, std::size_t position) const {
        return incoming_[first_task_[stage] + position];
    }
    /// By stage and variant, whether a task is played on it.
    [[nodiscard]] bool uses(std::uint32_t stage, std::size_t variant) const {
        return uses_[stage * variants_ + variant] != 0;
    }
    [[nodiscard]] std::size_t variants() const { return variants_; }

  private:
    friend class ScheduleCompiler;

    std::vector<Step> steps_;
    SteadyRounds steady_;
    // By lane end, then of what is handed over inside a stage, and the end.
    std::vector<std::uint32_t> first_slot_;
    std::vector<std::uint32_t> first_task_;  // by stage: into incoming_
    std::vector<std::uint32_t> incoming_;
    std::vector<std::uint8_t> uses_;
    std::size_t variants_{0};
};

/// Programs of the schedules seen last.
class SchedulePrograms {
  public:
    /// The reference is good until the next call. \throws ModelError as compile()
    const ScheduleProgram& of(const graph::PipelineSchedule& schedule, const Durations& durations,
                              Sending sending);

    /// Whether the program that of() returned last is that of these durations as well.
    [[nodiscard]] bool is_latest_of(const graph::PipelineSchedule& schedule, const Durations& durations,
                                    Sending sending);
    /// Of that program: another one has another number.
    [[nodiscard]] std::uint64_t latest_number() const { return entries_[latest_].number; }

  private:
    struct Entry {
        std::uint64_t identity{0};
        std::uint64_t last_use{0};
        std::uint64_t number{0};
        std::vector<std::uint8_t> holds;  ///< how messages are sent; by transfer, whether it holds its sender
        ScheduleProgram program;
    };
    static constexpr std::size_t capacity = 64;

    void read_holds(const graph::PipelineSchedule& schedule, const Durations& durations, Sending sending);

    std::vector<Entry> entries_;
    std::size_t latest_{0};
    std::vector<std::uint8_t> holds_;
    std::uint64_t uses_{0};
};

}  // namespace dse::sim::fold
