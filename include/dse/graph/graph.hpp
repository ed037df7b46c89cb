#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/graph/buffer.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/pipeline.hpp"
#include "dse/graph/work.hpp"

namespace dse::graph {

using WorkId = Id<struct WorkTag>;
using RegionId = Id<struct RegionTag>;
using BufferId = Id<struct BufferTag>;
using StreamId = Id<struct StreamTag>;
using CountId = Id<struct CountTag>;
using NameId = Id<struct NameTag>;

/// Stream 0 of every graph.
inline constexpr StreamId compute_stream{0};

/// Where a value comes from, inside one region.
struct ValueRef {
    enum class Source : std::uint8_t {
        none,  ///< no value: ready since ever (-inf)
        port,  ///< port `index` of the region
        item,  ///< item `index`: a node's value, or port `output` of a repeat after its last iteration
    };
    Source source{Source::none};
    std::uint16_t index{0};
    std::uint16_t output{0};

    static constexpr ValueRef none() { return {}; }
    static constexpr ValueRef port(std::size_t i) { return {Source::port, static_cast<std::uint16_t>(i), 0}; }
    static constexpr ValueRef item(std::size_t i, std::size_t output = 0) {
        return {Source::item, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(output)};
    }
    friend constexpr bool operator==(ValueRef, ValueRef) = default;
};

/// One entry of a region, in issue order: a node, or a repeated region.
struct Item {
    enum class Kind : std::uint8_t { node, repeat };
    Kind kind{Kind::node};

    // A node: one kernel or one collective. It starts when its stream is free and every value of `inputs` is
    // there; see sim for how its duration, its visible delay and its hold on the compute stream follow from
    // its work.
    WorkId work;
    StreamId stream;

    // A repeat: `body` is played counts[count] times (0 leaves everything as it is). `inputs` has one value
    // per port of the body, for its first iteration; iteration i + 1 starts with the outputs of iteration i.
    RegionId body;
    CountId count;

    NameId name;  ///< of a node, for people: into Graph::names

    std::vector<ValueRef> inputs;

    /// Buffers that are allocated when this item is issued, and freed when it has been issued (both at
    /// program points, as framework allocators do: docs/theory/memory.md). Only nodes have them.
    std::vector<BufferId> allocates;
    std::vector<BufferId> frees;
};

/// Straight-line issue order of nodes and repeats, with ports: values that come from outside, or from the
/// previous iteration where the region is a repeat's body. A value that crosses k iterations is a chain of k
/// ports.
struct Region {
    std::string name;
    std::uint16_t ports{0};
    std::vector<Item> items;
    /// What leaves the region. The body of a repeat has exactly `ports` outputs.
    std::vector<ValueRef> outputs;
};

/// The regions that one model chunk of a stage runs. A task's region has ports {boundary, saved…}: port 0 is
/// what came from the neighbouring stage (none at the ends of the pipeline), the others are the values that
/// the previous pass of the same microbatch saved, in order. Its outputs are {boundary, saved…} likewise:
/// output 0 is sent on, the others wait for the next pass of the same microbatch.
struct ChunkProgram {
    RegionId forward;
    RegionId forward_first;  ///< first microbatch of an iteration: parameters may have to arrive
    RegionId backward;       ///< whole backward, or its input part where the schedule splits it
    RegionId backward_last;  ///< last microbatch of an iteration: gradients are reduced
    RegionId weight;         ///< weight part of a split backward; unused otherwise
    RegionId weight_last;
    RegionId whole{};  ///< whole backward of a schedule that splits others (Form::whole); unused otherwise
    RegionId whole_last{};
    /// This chunk's `forward` in turns with the other chunk's `whole` (Form::overlapped); unused otherwise.
    /// Ports {boundary of the forward, of the backward, saved of the backward…}, outputs {boundary of the
    /// forward, of the backward, saved of the forward…}.
    RegionId overlapped{};
};

/// What the ranks of one pipeline stage run: equal for all ranks of the stage, up to the names of their
/// peers.
struct StageProgram {
    std::vector<ChunkProgram> chunks;
    RegionId update;  ///< right after the gradient-norm barrier: optimizer step, parameters on their way. No
                      ///< ports.
    RegionId
        finish;  ///< after the last task: reductions that only then can run, local gradient norm. No ports.
    std::vector<std::int64_t> counts;  ///< by CountId: how often this stage plays each repeat
    std::vector<BufferId> resident;    ///< parameters, gradients, optimizer states: allocated throughout
};

/// The distributed workload of a point: hierarchical (nothing is unrolled), and naming no device. An
/// iteration of a steady training loop runs from one gradient-norm barrier, where all streams of all ranks
/// meet, to the next: `update`, then the stage's list of tasks, then `finish`, then the barrier.
///
/// Structure (regions, programs) belongs to the template and is built once; numbers (works, buffers, counts,
/// schedule) belong to the point.
struct Graph {
    std::uint64_t revision{
        0};  ///< changes whenever mesh, works or buffers do: what depends on them may be kept
    Mesh mesh;
    std::vector<std::string> streams;  ///< names; [0] is "compute"
    /// The stream on which a stage sends to its neighbours, in program order with what else is issued there:
    /// a message then begins whether or not its receiver is ready for it. None: each lane has queues of its
    /// own at both ends, and both must be free. Not the compute stream.
    std::optional<StreamId> message_stream;
    std::vector<std::string> names;  ///< of nodes; [0] is empty: nodes without a name. May be empty itself
    std::vector<Work> works;
    std::vector<Buffer> buffers;
    std::vector<Region> regions;
    std::vector<StageProgram> programs;     ///< the distinct ones
    std::vector<std::uint32_t> program_of;  ///< by pipeline stage
    PipelineSchedule schedule;
    WorkId
        send_forward;  ///< Transfer of an activation to the next stage; unused with one stage and one chunk
    /// Transfer from the last stage to the first; none: send_forward.
    std::optional<WorkId> send_around;
    WorkId send_backward;  ///< Transfer of its gradient back
    WorkId barrier;        ///< Collective of the gradient norm, over all ranks
};

/// A node's name; empty where it has none.
inline std::string_view name_of(const Graph& graph, NameId name) {
    return name.index() < graph.names.size() ? std::string_view{graph.names[name.index()]}
                                             : std::string_view{};
}

/// First forward and last backward (or weight pass) of an iteration: the tasks with regions of their own.
constexpr bool is_peeled(const Task& task, const PipelineSchedule& schedule) {
    return task.pass == Pass::forward ? task.microbatch == 0 : task.microbatch + 1 == schedule.microbatches;
}

/// Regions of a chunk, in the order of ChunkProgram: two for each pass; then, where tasks are overlapped, two
/// of whole backwards and one of pairs.
inline constexpr std::size_t regions_of_passes = 6;
inline constexpr std::size_t regions_a_chunk = 9;

/// Which of them a task is played with.
constexpr std::size_t region_number(const Task& task, const PipelineSchedule& schedule) {
    if (task.form == Form::overlapped) return regions_a_chunk - 1;
    const std::size_t first =
        task.form == Form::whole ? regions_of_passes : 2 * static_cast<std::size_t>(task.pass);
    return first + (is_peeled(task, schedule) ? 1 : 0);
}
RegionId region_of(const ChunkProgram& chunk, std::size_t number);

/// The region that a stage with this program plays for a task; of two that are played together, for both.
RegionId region_of(const StageProgram& program, const Task& task, const PipelineSchedule& schedule);

/// What a stage sends to its neighbour once it has done a pass.
inline WorkId message_of(const Graph& graph, Pass pass, std::uint32_t stage) {
    if (pass != Pass::forward) return graph.send_backward;
    const bool goes_round = stage + 1 == graph.schedule.stages && graph.send_around.has_value();
    return goes_round ? *graph.send_around : graph.send_forward;
}

/// Tasks of the list that are played with one region, from this one on.
constexpr std::size_t played_together(const Task& task) {
    return task.form == Form::overlapped ? 2 : 1;
}

/// Stages i and stages − 1 − i reduce something between them for all i below this: both begin their `finish`
/// with a collective of Members::ends (the gradients of an embedding that the first and the last stage have)
/// or Members::mirrors (those of two copies of a model), without inputs and on one and the same stream. It
/// begins when all streams of both are free: what it reduces has been made, and reduced elsewhere, before.
std::uint32_t meeting_pairs(const Graph& graph);

/// That stream. \pre the stage is in one of the pairs
StreamId meeting_stream(const Graph& graph, std::uint32_t stage = 0);

/// Most streams of a graph, and most ports or outputs of a region.
inline constexpr std::size_t most_values = 64;

/// Checks what the engines rely on: indices in range, values defined before they are used, bodies closed
/// under their ports, one program a stage, tasks that name existing chunks. \throws ContractViolation naming
/// the region and the item
void validate(const Graph& graph);

}  // namespace dse::graph
