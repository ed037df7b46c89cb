#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dse::graph {

enum class Pass : std::uint8_t {
    forward,
    backward,  ///< input and weight gradients; only the input's where the schedule splits the backward
    weight,    ///< weight gradients of a split backward
};

/// How a task is played, where its pass does not say it.
enum class Form : std::uint8_t {
    plain,
    whole,       ///< a backward with its weight gradients, in a schedule that splits others
    overlapped,  ///< a forward whose steps are issued in turns with those of the next task of the list, a
                 ///< whole backward of the other chunk
};

/// One pass of one microbatch through one model chunk of a stage. Tasks are equal whatever their forms.
struct Task {
    Pass pass{Pass::forward};
    std::uint16_t chunk{0};
    std::uint32_t microbatch{0};
    Form form{Form::plain};
    friend constexpr bool operator==(const Task& a, const Task& b) {
        return a.pass == b.pass && a.chunk == b.chunk && a.microbatch == b.microbatch;
    }
};

enum class ScheduleKind : std::uint8_t { gpipe, one_f_one_b, interleaved, zb_h1, zb_v, dualpipe };

/// Names as sweeps write them: gpipe, 1f1b, interleaved, zb_h1, zb_v, dualpipe.
std::span<const std::string_view> choice_names(ScheduleKind);

/// Which pieces of the model the chunks of a stage are.
enum class Placement : std::uint8_t {
    cyclic,  ///< chunk c of stage i is piece c · stages + i
    v_shaped,  ///< two chunks, pieces i and 2 · stages − 1 − i: the model goes up the stages and down again
    mirrored,  ///< two chunks, pieces i and stages − 1 − i: two copies of the model, in opposite directions
};

/// The stretch of a schedule that repeats itself: stage i's tasks from `begin[i]` on are `rounds` rounds of
/// `tasks_per_round` tasks, each round the one before it with microbatches `microbatches_per_round` later. No
/// task in it is the first forward or the last backward of a chunk, and passes of a chunk take its
/// microbatches in ascending order. When every stage stands at the start of its round r, every stage can
/// reach the start of its round r + 1 before any goes on.
struct SteadyPhase {
    std::uint32_t rounds{0};  ///< 0: none is known
    std::uint32_t tasks_per_round{0};
    std::uint32_t microbatches_per_round{0};
    std::vector<std::uint32_t> begin;  ///< by stage
};

/// The order in which every stage issues its tasks: a pure function of its arguments, never of simulated
/// time.
struct PipelineSchedule {
    std::uint32_t stages{1};
    std::uint32_t chunks{1};        ///< model chunks (virtual stages) a stage
    std::uint32_t microbatches{1};  ///< that go through each chunk
    /// By stage, in issue order. May be longer than `stages` where a schedule was re-made: surplus is spare
    /// memory.
    std::vector<std::vector<Task>> tasks;
    SteadyPhase steady;
    /// Whether weight gradients are tasks of their own (Qi et al. 2023).
    bool splits_backward{false};
    /// Whether there are no backward passes: inference. Then a chunk is one step: what leaves the last stage
    /// goes back to the first one, which makes the next token of it.
    bool forward_only{false};
    std::uint64_t identity{0};  ///< schedules of one identity are equal; 0: unknown
    Placement placement{Placement::cyclic};
};

/// Streams that a stage sends on, and as many that it receives on: each takes its messages in order. Where
/// the model runs through a stage in two directions each has its own, since no one order of all messages
/// suits both neighbours.
inline constexpr std::size_t most_lanes = 2;
inline std::uint32_t lanes_of(const PipelineSchedule& schedule) {
    return schedule.placement == Placement::cyclic ? 1 : schedule.chunks;
}

/// The stream, out of lanes_of(), that a task's messages travel on.
inline std::uint32_t lane_of(const Task& task, const PipelineSchedule& schedule) {
    return schedule.placement == Placement::cyclic ? 0 : task.chunk;
}

/// Number of a stage's end of a lane, in [0, lanes · stages): with one lane, of the stage.
inline std::uint32_t lane_end(std::uint32_t stage, std::uint32_t lane, const PipelineSchedule& schedule) {
    return lane * schedule.stages + stage;
}

/// Whether some tasks have forms.
constexpr bool overlaps_tasks(const PipelineSchedule& schedule) {
    return schedule.placement == Placement::mirrored;
}

/// Whether some chunk of a stage hands over to another of the same stage.
inline bool hands_over_locally(const PipelineSchedule& schedule) {
    return schedule.stages == 1 || schedule.placement == Placement::v_shaped;
}

/// Where the boundary value of a task comes from or goes to.
struct Peer {
    enum class Kind : std::uint8_t {
        none,   ///< an end of the pipeline
        local,  ///< another chunk of the same stage: handed over at no cost
        stage,  ///< a message from or to `stage`
    };
    Kind kind{Kind::none};
    std::uint32_t stage{0};
    Task task;  ///< the peer's task; undefined where there is none
};

/// The same pass in the piece of the model next to it: towards the model's input, or towards its loss.
enum class Towards : std::uint8_t { input, loss };
Peer neighbour_of_two_ways(const Task& task, std::uint32_t stage, const PipelineSchedule& schedule,
                           Towards end);
inline Peer neighbour(const Task& task, std::uint32_t stage, const PipelineSchedule& schedule, Towards end) {
    if (schedule.placement != Placement::cyclic) return neighbour_of_two_ways(task, stage, schedule, end);
    const std::uint32_t last = schedule.stages - 1;
    Peer peer{Peer::Kind::stage, stage, task};
    if (end == Towards::input) {
        if (stage == 0 && task.chunk == 0) return {};
        peer.stage = stage == 0 ? last : stage - 1;
        if (stage == 0) --peer.task.chunk;
    } else {
        if (stage == last && task.chunk + 1U == schedule.chunks) return {};
        peer.stage = stage == last ? 0 : stage + 1;
        if (stage == last) ++peer.task.chunk;
    }
    if (peer.stage == stage) peer.kind = Peer::Kind::local;
    return peer;
}

/// Whose output 0 is the boundary value of `task`.
inline Peer source_of(const Task& task, std::uint32_t stage, const PipelineSchedule& schedule) {
    if (task.pass == Pass::weight) return {};
    return neighbour(task, stage, schedule, task.pass == Pass::forward ? Towards::input : Towards::loss);
}

/// Who takes output 0 of `task`.
inline Peer destination_of(const Task& task, std::uint32_t stage, const PipelineSchedule& schedule) {
    if (task.pass == Pass::weight) return {};
    return neighbour(task, stage, schedule, task.pass == Pass::forward ? Towards::loss : Towards::input);
}

/// Model chunks of a stage.
/// \param virtual_stages  as a layout asks for; 1 where the schedule has its own number
/// \throws ModelError where the schedule has no virtual stages to choose
std::uint32_t chunks_of(ScheduleKind kind, std::int64_t virtual_stages);

/// Which pieces of the model they are.
constexpr Placement placement_of(ScheduleKind kind) {
    if (kind == ScheduleKind::zb_v) return Placement::v_shaped;
    return kind == ScheduleKind::dualpipe ? Placement::mirrored : Placement::cyclic;
}

/// The piece of the model that a chunk is, as Placement says.
std::uint32_t piece_of(Placement placement, std::uint32_t stage, std::uint32_t chunk, std::uint32_t stages);

/// \param stages        >= 1
/// \param microbatches  of an iteration, >= 1
/// \param chunks        chunks_of() the kind
/// \throws ModelError where the schedule does not exist: interleaved needs stages > 1 and microbatches
///         divisible by stages; dualpipe stages and microbatches that are even, and twice as many
///         microbatches as stages
/// Source: Huang et al. 2019 (GPipe); Narayanan et al., SC21, section 2.2 (1F1B, interleaved); Qi et al. 2023
/// (arXiv 2401.10241), section 2.3 (ZB-H1) and section 6 (ZB-V); DeepSeek-AI 2024 (arXiv 2412.19437), section
/// 3.2.1 (DualPipe); the interleaved order is Megatron-LM's (warm-up of (stages - stage - 1) * 2 + (chunks -
/// 1) * stages forward tasks).
PipelineSchedule make_schedule(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches,
                               std::uint32_t chunks);

/// The same, into an existing schedule, whose memory is reused.
void make_schedule(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches, std::uint32_t chunks,
                   PipelineSchedule& schedule);

/// The schedule of inference, into an existing one: every stage takes the microbatches of a step in order,
/// then those of the next. Its steps are the schedule's chunks. \param stages, microbatches, steps  >= 1
void make_forward_schedule(std::uint32_t stages, std::uint32_t microbatches, std::uint32_t steps,
                           PipelineSchedule& schedule);

/// Whether a schedule of this kind has weight passes.
constexpr bool splits_backward(ScheduleKind kind) {
    return kind == ScheduleKind::zb_h1 || kind == ScheduleKind::zb_v || kind == ScheduleKind::dualpipe;
}

/// What tells a schedule that was made so, and not changed since, from all others: make_schedule() is a pure
/// function. To be stored in it by who wants work on it shared. \return 0 where it has too many stages for
/// one
std::uint64_t identity_of(ScheduleKind kind, const PipelineSchedule& schedule);

}  // namespace dse::graph
