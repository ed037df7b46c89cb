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
        none,  ///< no value: always ready (-inf)
        port,  ///< port `index` of the region
        item,  ///< item `index`: the value of a node, or output `output` of a repeat's last iteration
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

    // A node: one kernel or one collective. It starts when its stream is free and every value in `inputs` is
    // ready. How its duration, its visible delay and the time it blocks the compute stream follow from its
    // work is defined in `sim`.
    WorkId work;
    StreamId stream;

    // A repeat: `body` runs counts[count] times (0 passes the inputs through). `inputs` has one value per
    // port of the body, for the first iteration; iteration i + 1 takes the outputs of iteration i.
    RegionId body;
    CountId count;

    NameId name;  ///< a node's name for display, an index into Graph::names

    std::vector<ValueRef> inputs;

    /// Buffers that are allocated just before this node is issued and freed right after (both at program
    /// points, as framework allocators do: docs/theory/memory.md). Empty for repeats.
    std::vector<BufferId> allocates;
    std::vector<BufferId> frees;
};

/// Nodes and repeats in issue order, without branches. Ports are the values that come from outside, or from
/// the previous iteration if the region is the body of a repeat. A value that crosses k iterations passes
/// through a chain of k ports.
struct Region {
    std::string name;
    std::uint16_t ports{0};
    std::vector<Item> items;
    /// Values that leave the region. The body of a repeat has exactly `ports` outputs.
    std::vector<ValueRef> outputs;
};

/// The regions that one model chunk of a stage runs. The region of a task has ports {boundary, saved…}: port
/// 0 is the value received from the neighbouring stage (none at the ends of the pipeline), the others are the
/// values that the previous pass of the same microbatch saved, in order. Its outputs have the same form:
/// output 0 is sent on, the others are kept for the next pass of the same microbatch.
struct ChunkProgram {
    RegionId forward;
    RegionId forward_first;  ///< first microbatch of an iteration: may have to wait for parameters
    RegionId backward;       ///< whole backward pass, or only its input part if the schedule splits it
    RegionId backward_last;  ///< last microbatch of an iteration: gradients are reduced
    RegionId weight;         ///< weight part of a split backward pass; otherwise unused
    RegionId weight_last;
    RegionId whole{};  ///< unsplit backward pass in a schedule that splits others (Form::whole)
    RegionId whole_last{};
    /// This chunk's `forward` interleaved with the other chunk's `whole` (Form::overlapped); otherwise
    /// unused. Ports {boundary of forward, boundary of backward, saved values of backward…}, outputs
    /// {boundary of forward, boundary of backward, saved values of forward…}.
    RegionId overlapped{};
};

/// The program of one pipeline stage. All ranks of a stage run the same program; only their peers differ.
struct StageProgram {
    std::vector<ChunkProgram> chunks;
    /// Right after the gradient-norm barrier: the optimizer step, and gathers of parameters. No ports.
    RegionId update;
    /// After the last task: the reductions that cannot run earlier, and the local gradient norm. No ports.
    RegionId finish;
    std::vector<std::int64_t> counts;  ///< by CountId: number of iterations of each repeat on this stage
    std::vector<BufferId> resident;    ///< parameters, gradients, optimizer states: always allocated
};

/// The distributed workload of a point. It is hierarchical (nothing is unrolled) and independent of devices.
/// An iteration of a steady training loop runs from one gradient-norm barrier, which synchronizes all streams
/// of all ranks, to the next: `update`, then the tasks of the stage, then `finish`, then the barrier.
///
/// The structure (regions, programs) comes from the template and is built once; the numbers (works, buffers,
/// counts, schedule) belong to the point.
struct Graph {
    /// Changes whenever mesh, works or buffers change, so that results that depend on them can be cached.
    std::uint64_t revision{0};
    Mesh mesh;
    std::vector<std::string> streams;  ///< names; [0] is "compute"
    /// Stream on which a stage sends to its neighbours, in program order with the other work of that stream;
    /// a message then starts whether or not its receiver is ready. If there is none, each lane has a queue at
    /// either end, and a message starts when both are free. Never the compute stream.
    std::optional<StreamId> message_stream;
    std::vector<std::string> names;  ///< of nodes; names[0] is "", for unnamed nodes. May be empty
    std::vector<Work> works;
    std::vector<Buffer> buffers;
    std::vector<Region> regions;
    std::vector<StageProgram> programs;     ///< distinct programs
    std::vector<std::uint32_t> program_of;  ///< by pipeline stage
    PipelineSchedule schedule;
    /// Transfer of an activation to the next stage; unused with one stage and one chunk.
    WorkId send_forward;
    /// Transfer from the last stage to the first, if it differs from send_forward.
    std::optional<WorkId> send_around;
    WorkId send_backward;  ///< Transfer of the activation's gradient to the previous stage
    WorkId barrier;        ///< Collective of the gradient norm, over all ranks
};

/// Name of a node; empty if it has none.
inline std::string_view name_of(const Graph& graph, NameId name) {
    return name.index() < graph.names.size() ? std::string_view{graph.names[name.index()]}
                                             : std::string_view{};
}

/// Whether a task is the first forward or the last backward (or weight) pass of an iteration: these have
/// regions of their own.
constexpr bool is_peeled(const Task& task, const PipelineSchedule& schedule) {
    return task.pass == Pass::forward ? task.microbatch == 0 : task.microbatch + 1 == schedule.microbatches;
}

/// Number of regions of a chunk, in the order of ChunkProgram: two for each pass, then, if tasks are
/// overlapped, two for unsplit backward passes and one for pairs of tasks.
inline constexpr std::size_t regions_of_passes = 6;
inline constexpr std::size_t regions_a_chunk = 9;

/// Index of the region that a task runs.
constexpr std::size_t region_number(const Task& task, const PipelineSchedule& schedule) {
    if (task.form == Form::overlapped) return regions_a_chunk - 1;
    const std::size_t first =
        task.form == Form::whole ? regions_of_passes : 2 * static_cast<std::size_t>(task.pass);
    return first + (is_peeled(task, schedule) ? 1 : 0);
}
RegionId region_of(const ChunkProgram& chunk, std::size_t number);

/// The region that a stage with this program runs for a task; for a pair of overlapped tasks, the region of
/// the pair.
RegionId region_of(const StageProgram& program, const Task& task, const PipelineSchedule& schedule);

/// The transfer with which a stage passes the result of a pass to its neighbour.
inline WorkId message_of(const Graph& graph, Pass pass, std::uint32_t stage) {
    if (pass != Pass::forward) return graph.send_backward;
    const bool goes_round = stage + 1 == graph.schedule.stages && graph.send_around.has_value();
    return goes_round ? *graph.send_around : graph.send_forward;
}

/// Number of consecutive tasks, starting with this one, that run as one region.
constexpr std::size_t played_together(const Task& task) {
    return task.form == Form::overlapped ? 2 : 1;
}

/// Number of pairs of stages (i, stages − 1 − i) that reduce something between them: both start `finish`
/// with a collective of Members::ends (gradients of an embedding that the first and the last stage share) or
/// Members::mirrors (gradients of two copies of a model), without inputs and on the same stream. It starts
/// when all streams of both stages are free, because its operands were computed, and reduced within each
/// stage, before.
std::uint32_t meeting_pairs(const Graph& graph);

/// Stream of that collective. \pre the stage is in one of the pairs
StreamId meeting_stream(const Graph& graph, std::uint32_t stage = 0);

/// Largest number of streams of a graph, and of ports or outputs of a region.
inline constexpr std::size_t most_values = 64;

/// Checks what the engines rely on: indices are in range, values are defined before use, bodies have as many
/// outputs as ports, every stage has a program, tasks name existing chunks.
/// \throws ContractViolation naming the region and the item
void validate(const Graph& graph);

}  // namespace dse::graph
