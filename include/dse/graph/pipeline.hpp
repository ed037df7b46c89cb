#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dse::graph {

enum class Pass : std::uint8_t {
    forward,
    backward,  ///< input and weight gradients; only input gradients if the schedule splits the backward pass
    weight,    ///< weight gradients of a split backward
};

/// How a task runs, where its pass alone does not determine it.
enum class Form : std::uint8_t {
    plain,
    whole,       ///< a backward pass with its weight gradients, in a schedule that splits others
    overlapped,  ///< a forward pass whose steps are interleaved with those of the next task of the list, a
                 ///< whole backward pass of the other chunk
};

/// One pass of one microbatch through one model chunk of a stage. The form does not take part in comparisons.
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

/// Which piece of the model each chunk of a stage holds.
enum class Placement : std::uint8_t {
    cyclic,    ///< chunk c of stage i is piece c · stages + i
    v_shaped,  ///< two chunks, pieces i and 2 · stages − 1 − i: the model runs up the stages and back down
    mirrored,  ///< two chunks, pieces i and stages − 1 − i: two copies of the model in opposite directions
};

/// The periodic part of a schedule. From task `begin[i]` on, stage i runs `rounds` rounds of
/// `tasks_per_round` tasks; each round repeats the previous one with microbatch numbers increased by
/// `microbatches_per_round`. No task in it is the first forward or the last backward pass of a chunk, and the
/// passes of a chunk take its microbatches in ascending order. If every stage is at the start of its round r,
/// every stage can reach the start of its round r + 1 before any stage proceeds further.
struct SteadyPhase {
    std::uint32_t rounds{0};  ///< 0: none is known
    std::uint32_t tasks_per_round{0};
    std::uint32_t microbatches_per_round{0};
    std::vector<std::uint32_t> begin;  ///< by stage
};

/// The order in which every stage issues its tasks. It depends on the arguments below only, never on
/// simulated time.
struct PipelineSchedule {
    std::uint32_t stages{1};
    std::uint32_t chunks{1};        ///< model chunks (virtual stages) per stage
    std::uint32_t microbatches{1};  ///< per chunk
    /// By stage, in issue order. May have more than `stages` entries, whose memory is kept for reuse.
    std::vector<std::vector<Task>> tasks;
    SteadyPhase steady;
    /// Whether weight gradients are tasks of their own (Qi et al. 2023).
    bool splits_backward{false};
    /// Inference: there are no backward passes. Each chunk then stands for one step: the output of the last
    /// stage returns to the first one for the next token.
    bool forward_only{false};
    std::uint64_t identity{0};  ///< schedules with the same identity are equal; 0: unknown
    Placement placement{Placement::cyclic};
};

/// Number of lanes: streams on which a stage sends, and as many on which it receives. Each handles its
/// messages in order. If the model passes through a stage in two directions, each direction has its own lane,
/// since no single order of all messages suits both neighbours.
inline constexpr std::size_t most_lanes = 2;
inline std::uint32_t lanes_of(const PipelineSchedule& schedule) {
    return schedule.placement == Placement::cyclic ? 1 : schedule.chunks;
}

/// Lane, in [0, lanes_of()), of a task's messages.
inline std::uint32_t lane_of(const Task& task, const PipelineSchedule& schedule) {
    return schedule.placement == Placement::cyclic ? 0 : task.chunk;
}

/// Index of a stage's end of a lane, in [0, lanes · stages); equals `stage` if there is one lane.
inline std::uint32_t lane_end(std::uint32_t stage, std::uint32_t lane, const PipelineSchedule& schedule) {
    return lane * schedule.stages + stage;
}

/// Whether some tasks have a form other than `plain`.
constexpr bool overlaps_tasks(const PipelineSchedule& schedule) {
    return schedule.placement == Placement::mirrored;
}

/// Whether some chunk passes its result to another chunk of the same stage.
inline bool hands_over_locally(const PipelineSchedule& schedule) {
    return schedule.stages == 1 || schedule.placement == Placement::v_shaped;
}

/// Where the boundary value of a task comes from or is sent to.
struct Peer {
    enum class Kind : std::uint8_t {
        none,   ///< an end of the pipeline
        local,  ///< another chunk of the same stage: passed on at no cost
        stage,  ///< a message from or to `stage`
    };
    Kind kind{Kind::none};
    std::uint32_t stage{0};
    Task task;  ///< the peer's task; undefined if there is no peer
};

/// The same pass in the adjacent piece of the model, towards the model's input or towards its loss.
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

/// The peer whose output 0 is the boundary value of `task`.
inline Peer source_of(const Task& task, std::uint32_t stage, const PipelineSchedule& schedule) {
    if (task.pass == Pass::weight) return {};
    return neighbour(task, stage, schedule, task.pass == Pass::forward ? Towards::input : Towards::loss);
}

/// The peer that receives output 0 of `task`.
inline Peer destination_of(const Task& task, std::uint32_t stage, const PipelineSchedule& schedule) {
    if (task.pass == Pass::weight) return {};
    return neighbour(task, stage, schedule, task.pass == Pass::forward ? Towards::loss : Towards::input);
}

/// Number of model chunks per stage.
/// \param virtual_stages  as set in the layout; must be 1 if the schedule determines the number itself
/// \throws ModelError if the schedule does not support a choice of virtual stages
std::uint32_t chunks_of(ScheduleKind kind, std::int64_t virtual_stages);

/// Placement of the chunks under a schedule.
constexpr Placement placement_of(ScheduleKind kind) {
    if (kind == ScheduleKind::zb_v) return Placement::v_shaped;
    return kind == ScheduleKind::dualpipe ? Placement::mirrored : Placement::cyclic;
}

/// Index of the piece of the model that a chunk holds (see Placement).
std::uint32_t piece_of(Placement placement, std::uint32_t stage, std::uint32_t chunk, std::uint32_t stages);

/// \param stages        >= 1
/// \param microbatches  per iteration, >= 1
/// \param chunks        chunks_of() the kind
/// \throws ModelError if there is no such schedule: interleaved needs stages > 1 and microbatches divisible
///         by stages; dualpipe needs even numbers of stages and microbatches, and at least twice as many
///         microbatches as stages
/// Source: Huang et al. 2019 (GPipe); Narayanan et al., SC21, section 2.2 (1F1B, interleaved); Qi et al. 2023
/// (arXiv 2401.10241), section 2.3 (ZB-H1) and section 6 (ZB-V); DeepSeek-AI 2024 (arXiv 2412.19437), section
/// 3.2.1 (DualPipe); the interleaved order is Megatron-LM's (warm-up of (stages - stage - 1) * 2 + (chunks -
/// 1) * stages forward tasks).
PipelineSchedule make_schedule(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches,
                               std::uint32_t chunks);

/// The same, written into an existing schedule whose memory is reused.
void make_schedule(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches, std::uint32_t chunks,
                   PipelineSchedule& schedule);

/// Writes the schedule of inference into an existing one: every stage takes the microbatches of a step in
/// order, then those of the next step. The steps are the chunks of the schedule.
/// \param stages, microbatches, steps  >= 1
void make_forward_schedule(std::uint32_t stages, std::uint32_t microbatches, std::uint32_t steps,
                           PipelineSchedule& schedule);

/// Whether a schedule of this kind has weight passes.
constexpr bool splits_backward(ScheduleKind kind) {
    return kind == ScheduleKind::zb_h1 || kind == ScheduleKind::zb_v || kind == ScheduleKind::dualpipe;
}

/// Identity of a schedule made by make_schedule() and not modified since: equal identities mean equal
/// schedules, so that callers who store it in the schedule can share work that depends on it.
/// \return 0 if the schedule has too many stages to have an identity
std::uint64_t identity_of(ScheduleKind kind, const PipelineSchedule& schedule);

}  // namespace dse::graph
