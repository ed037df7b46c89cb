#include "dse/graph/graph.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::graph {

namespace {

template <class... Args>
[[noreturn]] void broken(fmt::format_string<Args...> format, Args&&... args) {
    throw ContractViolation("graph: " + fmt::format(format, std::forward<Args>(args)...));
}

/// The item's collective between two stages; null if it is none.
const Collective* between_two_stages(const Graph& graph, const Item& item) {
    if (item.kind != Item::Kind::node) return nullptr;
    const auto* collective = std::get_if<Collective>(&graph.works[item.work.index()]);
    return collective != nullptr && collective->members != Members::all ? collective : nullptr;
}

/// The collective between two stages that starts a stage's finish.
const Collective* meeting_of(const Graph& graph, std::uint32_t stage) {
    const Region& finish = graph.regions[graph.programs[graph.program_of[stage]].finish.index()];
    return finish.items.empty() ? nullptr : between_two_stages(graph, finish.items.front());
}

/// Collectives between two stages may only appear where meeting_pairs expects them.
void check_meetings(const Graph& graph) {
    for (const Region& region : graph.regions) {
        for (const Item& item : region.items) {
            if (between_two_stages(graph, item) == nullptr) continue;
            const bool first = &item == region.items.data();
            if (!first || !item.inputs.empty())
                broken("region '{}': a collective between two stages begins a finish", region.name);
        }
    }
    const std::uint32_t stages = graph.schedule.stages;
    const std::uint32_t pairs = meeting_pairs(graph);
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
        const Collective* meeting = meeting_of(graph, stage);
        const bool meets = std::min(stage, stages - 1 - stage) < pairs;
        const bool same =
            !meets || (meeting != nullptr && meeting->members == meeting_of(graph, 0)->members &&
                       meeting_stream(graph, stage) == meeting_stream(graph, 0));
        if ((meeting != nullptr) != meets || !same)
            broken("stage {}: its finish does not begin with what the stages at both ends begin theirs with",
                   stage);
    }
}

/// Checks one region against its graph.
class RegionCheck {
  public:
    RegionCheck(const Graph& graph, const Region& region) : graph_{graph}, region_{region} {}

    void run() const {
        if (region_.ports > most_values || region_.outputs.size() > most_values) {
            broken("region '{}' has more than {} ports or outputs", region_.name, most_values);
        }
        for (std::size_t i = 0; i < region_.items.size(); ++i) check_item(i);
        for (const ValueRef output : region_.outputs) check_value(output, region_.items.size(), "an output");
    }

  private:
    void check_item(std::size_t i) const {
        const Item& item = region_.items[i];
        for (const ValueRef input : item.inputs) check_value(input, i, fmt::format("item {}", i));
        if (item.kind == Item::Kind::node) {
            check_node(i, item);
        } else {
            check_repeat(i, item);
        }
    }

    void check_node(std::size_t i, const Item& item) const {
        if (item.work.index() >= graph_.works.size()) fail(i, "names a work that does not exist");
        if (item.stream.index() >= graph_.streams.size()) fail(i, "names a stream that does not exist");
        if (item.name.index() > 0 && item.name.index() >= graph_.names.size())
            fail(i, "has a name that does not exist");
        if (std::holds_alternative<Transfer>(graph_.works[item.work.index()])) {
            fail(i, "is a transfer: those belong to the schedule");
        }
        for (const auto* buffers : {&item.allocates, &item.frees}) {
            for (const BufferId buffer : *buffers) {
                if (buffer.index() >= graph_.buffers.size()) fail(i, "names a buffer that does not exist");
            }
        }
    }

    void check_repeat(std::size_t i, const Item& item) const {
        if (item.body.index() >= graph_.regions.size()) fail(i, "repeats a region that does not exist");
        const Region& body = graph_.regions[item.body.index()];
        if (body.outputs.size() != body.ports) fail(i, "repeats a body whose outputs are not its ports");
        if (item.inputs.size() != body.ports) fail(i, "does not give every port of its body a value");
        if (!item.allocates.empty() || !item.frees.empty()) fail(i, "is a repeat with buffers");
    }

    /// \param before  number of items that are defined before the use of the value
    void check_value(ValueRef value, std::size_t before, std::string_view user) const {
        if (value.source == ValueRef::Source::none) return;
        if (value.source == ValueRef::Source::port) {
            if (value.index >= region_.ports)
                broken("region '{}': {} uses port {} of {}", region_.name, user, value.index, region_.ports);
            return;
        }
        if (value.index >= before) {
            broken("region '{}': {} uses item {} before it is issued", region_.name, user, value.index);
        }
        const Item& producer = region_.items[value.index];
        const std::size_t outputs =
            producer.kind == Item::Kind::node ? 1 : graph_.regions[producer.body.index()].ports;
        if (value.output >= outputs) {
            broken("region '{}': {} uses output {} of item {}, which has {}", region_.name, user,
                   value.output, value.index, outputs);
        }
    }

    void fail(std::size_t i, std::string_view what) const {
        broken("region '{}': item {} {}", region_.name, i, what);
    }

    const Graph& graph_;
    const Region& region_;
};

/// Repeats may nest, but not recursively.
class NestingCheck {
  public:
    explicit NestingCheck(const Graph& graph) : graph_{graph}, state_(graph.regions.size(), State::fresh) {}

    void run() {
        for (std::size_t r = 0; r < graph_.regions.size(); ++r) visit(r);
    }

  private:
    enum class State : std::uint8_t { fresh, open, done };

    void visit(std::size_t r) {
        if (state_[r] == State::done) return;
        if (state_[r] == State::open) broken("region '{}' repeats itself", graph_.regions[r].name);
        state_[r] = State::open;
        for (const Item& item : graph_.regions[r].items) {
            if (item.kind == Item::Kind::repeat) visit(item.body.index());
        }
        state_[r] = State::done;
    }

    const Graph& graph_;
    std::vector<State> state_;
};

/// Checks the regions of a stage's schedule against each other: each pass takes what the previous one saved.
class ProgramCheck {
  public:
    ProgramCheck(const Graph& graph, std::uint32_t stage)
        : graph_{graph}, stage_{stage}, program_{graph.programs[graph.program_of[stage]]} {}

    void run() {
        if (program_.chunks.size() < graph_.schedule.chunks) {
            broken("stage {}: {} chunk programs for {} chunks", stage_, program_.chunks.size(),
                   graph_.schedule.chunks);
        }
        if (region(program_.update).ports != 0) broken("stage {}: update has ports", stage_);
        if (region(program_.finish).ports != 0) broken("stage {}: finish has ports", stage_);
        for (const BufferId buffer : program_.resident) {
            if (buffer.index() >= graph_.buffers.size()) broken("stage {}: unknown resident buffer", stage_);
        }
        check_repeats(program_.update);
        check_repeats(program_.finish);
        check_tasks();
    }

  private:
    void check_tasks() {
        const PipelineSchedule& schedule = graph_.schedule;
        saved_.assign(std::size_t{schedule.chunks} * schedule.microbatches, {});
        const std::vector<Task>& tasks = schedule.tasks[stage_];
        for (std::size_t t = 0; t < tasks.size();) {
            const std::size_t count = played_together(tasks[t]);
            if (t + count > tasks.size()) broken("stage {}: the last task overlaps with none", stage_);
            for (std::size_t k = 0; k < count; ++k) check_pass(tasks[t + k]);
            if (count == 2) check_pair(tasks[t], tasks[t + 1]);
            check_values(tasks[t], tasks[t + count - 1], count);
            t += count;
        }
    }

    struct Saved {
        std::array<bool, 3> done{};
        std::size_t values{0};
    };

    Saved& saved(const Task& task) {
        return saved_[std::size_t{task.chunk} * graph_.schedule.microbatches + task.microbatch];
    }

    void check_pass(const Task& task) {
        const PipelineSchedule& schedule = graph_.schedule;
        if (task.chunk >= schedule.chunks || task.microbatch >= schedule.microbatches) {
            broken("stage {}: a task of chunk {}, microbatch {}, of {} and {}", stage_, task.chunk,
                   task.microbatch, schedule.chunks, schedule.microbatches);
        }
        std::array<bool, 3>& done = saved(task).done;
        const auto pass = static_cast<std::size_t>(task.pass);
        if (done[pass]) broken("stage {}: a task of microbatch {} appears twice", stage_, task.microbatch);
        if (pass > 0 && !done[pass - 1])
            broken("stage {}: microbatch {} goes backward before forward", stage_, task.microbatch);
        done[pass] = true;
        if (task.form == Form::whole) done[static_cast<std::size_t>(Pass::weight)] = true;
    }

    void check_pair(const Task& forward, const Task& backward) const {
        const bool pairs = forward.pass == Pass::forward && backward.pass == Pass::backward &&
                           backward.form == Form::whole && forward.chunk != backward.chunk;
        if (!pairs) broken("stage {}: what overlaps is a forward and a whole backward", stage_);
        if (is_peeled(forward, graph_.schedule) || is_peeled(backward, graph_.schedule))
            broken("stage {}: a peeled task overlaps with another", stage_);
    }

    /// \param first  the task that produces its saved values
    /// \param last   the task that consumes its saved values; the same as `first`, unless two tasks overlap
    void check_values(const Task& first, const Task& last, std::size_t boundaries) {
        const RegionId id = region_of(program_, first, graph_.schedule);
        const Region& played = region(id);
        std::size_t& taken = saved(last).values;
        if (played.ports != boundaries + taken) {
            broken("region '{}' has {} ports, but its boundary and what the pass before saved are {} values",
                   played.name, played.ports, boundaries + taken);
        }
        if (played.outputs.size() < boundaries) broken("region '{}' has no boundary output", played.name);
        taken = 0;
        saved(first).values = played.outputs.size() - boundaries;
        check_repeats(id);
    }

    void check_repeats(RegionId id) const {
        for (const Item& item : region(id).items) {
            if (item.kind != Item::Kind::repeat) continue;
            if (item.count.index() >= program_.counts.size()) {
                broken("stage {}: region '{}' repeats by a count that the program lacks", stage_,
                       region(id).name);
            }
            if (program_.counts[item.count.index()] < 0) {
                broken("stage {}: region '{}' has a negative count", stage_, region(id).name);
            }
            check_repeats(item.body);
        }
    }

    [[nodiscard]] const Region& region(RegionId id) const {
        if (id.index() >= graph_.regions.size()) broken("stage {}: a region that does not exist", stage_);
        return graph_.regions[id.index()];
    }

    const Graph& graph_;
    std::uint32_t stage_;
    const StageProgram& program_;
    std::vector<Saved> saved_;
};

void check_channel(const PipelineSchedule& schedule, std::uint32_t stage, std::uint32_t lane, Pass pass) {
    std::vector<Task> sent;
    std::uint32_t receiver = 0;
    for (const Task& task : schedule.tasks[stage]) {
        const Peer to = destination_of(task, stage, schedule);
        if (task.pass != pass || to.kind != Peer::Kind::stage || lane_of(task, schedule) != lane) continue;
        sent.push_back(to.task);
        receiver = to.stage;
    }
    if (sent.empty()) return;
    std::vector<Task> taken;
    for (const Task& task : schedule.tasks[receiver]) {
        const Peer from = source_of(task, receiver, schedule);
        if (task.pass == pass && from.kind == Peer::Kind::stage && from.stage == stage &&
            lane_of(task, schedule) == lane)
            taken.push_back(task);
    }
    if (sent != taken) broken("stage {} sends in another order than stage {} receives", stage, receiver);
}

/// For each pass and lane between two stages, messages must be received in the order in which they are sent.
void check_channels(const PipelineSchedule& schedule) {
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        for (std::uint32_t lane = 0; lane < lanes_of(schedule); ++lane) {
            check_channel(schedule, stage, lane, Pass::forward);
            check_channel(schedule, stage, lane, Pass::backward);
        }
    }
}

/// The forwards of every chunk, and likewise its backwards and weight passes, must process the microbatches
/// in ascending order.
void check_ascending(const PipelineSchedule& schedule, std::uint32_t stage) {
    constexpr std::size_t passes = 3;
    std::vector<std::uint32_t> done(passes * schedule.chunks, 0);
    for (const Task& task : schedule.tasks[stage]) {
        if (task.pass == Pass::weight && !schedule.splits_backward)
            broken("stage {}: weight passes of a schedule that does not split its backwards", stage);
        const auto pass = static_cast<std::size_t>(task.pass);
        const std::size_t last = task.form == Form::whole ? static_cast<std::size_t>(Pass::weight) : pass;
        for (std::size_t p = pass; p <= last; ++p) {
            if (task.microbatch != done[task.chunk * passes + p]++)
                broken("stage {}: a steady phase with microbatches out of order", stage);
        }
    }
}

void check_steady_phase(const PipelineSchedule& schedule) {
    const SteadyPhase& steady = schedule.steady;
    if (steady.rounds == 0) return;
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) check_ascending(schedule, stage);
    if (steady.begin.size() != schedule.stages) broken("the steady phase does not begin once a stage");
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        const std::vector<Task>& tasks = schedule.tasks[stage];
        const std::size_t end = steady.begin[stage] + std::size_t{steady.rounds} * steady.tasks_per_round;
        if (end > tasks.size()) broken("stage {}: the steady phase ends after the last task", stage);
        for (std::size_t t = steady.begin[stage]; t < end; ++t) {
            Task expected = tasks[t];
            if (t + steady.tasks_per_round < end) {
                expected.microbatch += steady.microbatches_per_round;
                const Task& next = tasks[t + steady.tasks_per_round];
                if (next != expected || next.form != expected.form)
                    broken("stage {}: task {} breaks the steady phase", stage, t);
            }
            if (is_peeled(tasks[t], schedule))
                broken("stage {}: task {} of the steady phase is peeled", stage, t);
        }
    }
}

}  // namespace

StreamId meeting_stream(const Graph& graph, std::uint32_t stage) {
    return graph.regions[graph.programs[graph.program_of[stage]].finish.index()].items.front().stream;
}

std::uint32_t meeting_pairs(const Graph& graph) {
    if (graph.schedule.stages == 1) return 0;
    const Collective* meeting = meeting_of(graph, 0);
    if (meeting == nullptr) return 0;
    return meeting->members == Members::ends ? 1 : graph.schedule.stages / 2;
}

RegionId region_of(const ChunkProgram& chunk, std::size_t number) {
    using Member = RegionId ChunkProgram::*;
    using Chunk = ChunkProgram;
    static constexpr std::array<Member, regions_a_chunk> members{
        &Chunk::forward,     &Chunk::forward_first, &Chunk::backward,   &Chunk::backward_last, &Chunk::weight,
        &Chunk::weight_last, &Chunk::whole,         &Chunk::whole_last, &Chunk::overlapped};
    return chunk.*members[number];
}

RegionId region_of(const StageProgram& program, const Task& task, const PipelineSchedule& schedule) {
    return region_of(program.chunks[task.chunk], region_number(task, schedule));
}

void validate(const Graph& graph) {
    if (graph.streams.empty() || graph.streams.size() > most_values)
        broken("{} streams", graph.streams.size());
    if (const auto& stream = graph.message_stream;
        stream && (*stream == compute_stream || stream->index() >= graph.streams.size()))
        broken("messages go on stream {}", stream->index());
    for (const Region& region : graph.regions) RegionCheck{graph, region}.run();
    NestingCheck{graph}.run();

    const PipelineSchedule& schedule = graph.schedule;
    if (schedule.stages == 0 || schedule.chunks == 0 || schedule.microbatches == 0)
        broken("an empty schedule");
    if (graph.mesh.degree(MeshAxis::pipeline) != schedule.stages)
        broken("the mesh has another number of stages");
    if (schedule.tasks.size() < schedule.stages) broken("the schedule lacks a stage's tasks");
    if (graph.program_of.size() < schedule.stages) broken("a stage has no program");
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        if (graph.program_of[stage] >= graph.programs.size()) broken("stage {}: no such program", stage);
        ProgramCheck{graph, stage}.run();
    }
    check_channels(schedule);
    check_meetings(graph);
    check_steady_phase(schedule);
    for (const WorkId work :
         {graph.send_forward, graph.send_around.value_or(graph.send_forward), graph.send_backward}) {
        const bool used = schedule.stages > 1;
        if (used && (work.index() >= graph.works.size() ||
                     !std::holds_alternative<Transfer>(graph.works[work.index()]))) {
            broken("no transfer between the stages");
        }
    }
}

}  // namespace dse::graph
