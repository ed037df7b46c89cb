#include "dse/graph/totals.hpp"

#include <algorithm>
#include <array>

namespace dse::graph {
namespace {

/// Bytes that a rank sends in a collective: the factors of docs/theory/communication.md, which are the lower
/// bounds.
Bytes sent_by(const Collective& collective, const Mesh& mesh) {
    const auto ranks =
        collective.members != Members::all ? 2.0 : static_cast<double>(mesh.degree(collective.axes));
    const double share = (ranks - 1.0) / ranks;
    switch (collective.kind) {
        case CollectiveKind::all_reduce:
            return collective.size * (2.0 * share);
        case CollectiveKind::ring_shift:
            return ranks > 1.0 ? collective.size : Bytes{};
        case CollectiveKind::all_gather:
        case CollectiveKind::reduce_scatter:
        case CollectiveKind::all_to_all:
        case CollectiveKind::broadcast:
            break;
    }
    return collective.size * share;
}

Totals of_work(const Work& work, const Mesh& mesh) {
    Totals one;
    if (const auto* compute = std::get_if<Compute>(&work)) {
        one.model_flop = compute->model_flop;
        one.executed_flop = compute->executed_flop;
        one.memory_traffic = compute->read + compute->written;
    } else if (const auto* launch = std::get_if<Launch>(&work)) {
        one.kernels = launch->kernels;
    } else if (const auto* collective = std::get_if<Collective>(&work)) {
        one.sent = sent_by(*collective, mesh);
    }
    return one;
}

/// How often a stage executes each region of a chunk per iteration.
using Plays = std::array<double, regions_a_chunk>;

/// Each microbatch once per pass; the first and the last have regions of their own.
Plays plays_of_passes(const PipelineSchedule& schedule) {
    const double others = static_cast<double>(schedule.microbatches) - 1.0;
    if (schedule.forward_only) return {others, 1.0};
    if (schedule.splits_backward) return {others, 1.0, others, 1.0, others, 1.0};
    return {others, 1.0, others, 1.0};
}

/// Counts over the list of tasks, with one round of the steady phase standing for all rounds.
Plays count_plays(const PipelineSchedule& schedule, std::size_t stage, std::size_t chunk) {
    Plays plays{};
    const std::vector<Task>& tasks = schedule.tasks[stage];
    const auto count = [&](std::size_t begin, std::size_t end, double times) {
        for (std::size_t t = begin; t < end; t += played_together(tasks[t])) {
            if (tasks[t].chunk == chunk) plays[region_number(tasks[t], schedule)] += times;
        }
    };
    const SteadyPhase& steady = schedule.steady;
    const std::size_t begin = steady.begin[stage];
    const std::size_t end = begin + std::size_t{steady.rounds} * steady.tasks_per_round;
    count(0, begin, 1.0);
    if (steady.rounds > 0) count(begin, begin + steady.tasks_per_round, steady.rounds);
    count(end, tasks.size(), 1.0);
    return plays;
}

/// Calls `visit(region, times)` for the regions that a stage executes in one iteration.
template <class Visit>
void for_each_region(const Graph& graph, std::size_t stage, Visit&& visit) {
    const StageProgram& program = graph.programs[graph.program_of[stage]];
    visit(program.update, 1.0);
    visit(program.finish, 1.0);
    const PipelineSchedule& schedule = graph.schedule;
    const bool overlaps = overlaps_tasks(schedule);
    const Plays of_passes = plays_of_passes(schedule);
    for (std::size_t c = 0; c < schedule.chunks; ++c) {
        const Plays plays = overlaps ? count_plays(schedule, stage, c) : of_passes;
        for (const std::size_t number : {1, 0, 2, 3, 4, 5, 6, 7, 8}) {  // the first forward comes first
            if (plays[number] > 0) visit(region_of(program.chunks[c], number), plays[number]);
        }
    }
}

template <class Visit>
void for_each_work(const Graph& graph, const StageProgram& program, RegionId region, double times,
                   Visit&& visit) {
    for (const Item& item : graph.regions[region.index()].items) {
        if (item.kind == Item::Kind::node) {
            visit(graph.works[item.work.index()], times);
            continue;
        }
        const auto count = static_cast<double>(program.counts[item.count.index()]);
        if (count > 0) for_each_work(graph, program, item.body, times * count, visit);
    }
}

/// Bytes of a message to the next stage; 0 if the work is not a message.
Bytes message_size(const Graph& graph, WorkId work) {
    const auto* transfer = std::get_if<Transfer>(&graph.works[work.index()]);
    return transfer == nullptr ? Bytes{} : transfer->size;
}

}  // namespace

Totals& Totals::operator+=(const Totals& other) {
    model_flop += other.model_flop;
    executed_flop += other.executed_flop;
    memory_traffic += other.memory_traffic;
    sent += other.sent;
    kernels += other.kernels;
    return *this;
}

Totals operator*(Totals totals, double factor) {
    totals.model_flop *= factor;
    totals.executed_flop *= factor;
    totals.memory_traffic *= factor;
    totals.sent *= factor;
    totals.kernels *= factor;
    return totals;
}

void TotalsCounter::read(const Graph& graph) {
    nodes_.assign(graph.regions.size(), Totals{});
    for (std::size_t i = 0; i < graph.regions.size(); ++i) {
        for (const Item& item : graph.regions[i].items) {
            if (item.kind == Item::Kind::node)
                nodes_[i] += of_work(graph.works[item.work.index()], graph.mesh);
        }
    }
}

Totals TotalsCounter::region(const Graph& graph, const StageProgram& program, RegionId id) const {
    Totals sum = nodes_[id.index()];
    for (const Item& item : graph.regions[id.index()].items) {
        if (item.kind == Item::Kind::node) continue;
        const auto count = static_cast<double>(program.counts[item.count.index()]);
        if (count > 0) sum += region(graph, program, item.body) * count;
    }
    return sum;
}

Totals TotalsCounter::stage(const Graph& graph, std::size_t stage) const {
    const StageProgram& program = graph.programs[graph.program_of[stage]];
    Totals sum;
    for_each_region(graph, stage,
                    [&](RegionId id, double times) { sum += region(graph, program, id) * times; });
    const PipelineSchedule& schedule = graph.schedule;
    const auto at = static_cast<std::uint32_t>(stage);
    for (std::uint32_t c = 0; c < schedule.chunks && schedule.stages > 1; ++c) {
        const Task task{Pass::forward, static_cast<std::uint16_t>(c), 0};
        const auto microbatches = static_cast<double>(schedule.microbatches);
        const auto sends = [&](Towards end) {
            return neighbour(task, at, schedule, end).kind == Peer::Kind::stage ? microbatches : 0.0;
        };
        sum.sent += message_size(graph, message_of(graph, Pass::forward, at)) * sends(Towards::loss);
        if (schedule.forward_only) continue;
        sum.sent += message_size(graph, graph.send_backward) * sends(Towards::input);
    }
    return sum;
}

Totals TotalsCounter::all(const Graph& graph) const {
    Totals sum;
    for (std::size_t i = 0; i < graph.program_of.size(); ++i) sum += stage(graph, i);
    return sum * (static_cast<double>(graph.mesh.ranks()) / static_cast<double>(graph.program_of.size()));
}

Totals totals(const Graph& graph) {
    TotalsCounter counter;
    counter.read(graph);
    return counter.all(graph);
}

void for_each_played_work(const Graph& graph, std::size_t stage,
                          const std::function<void(const Work&, double times)>& visit) {
    const StageProgram& program = graph.programs[graph.program_of[stage]];
    for_each_region(graph, stage, [&](RegionId region, double plays) {
        for_each_work(graph, program, region, plays, visit);
    });
}

double nodes_of_stage(const Graph& graph, std::size_t stage) {
    double nodes = 0.0;
    for_each_played_work(graph, stage, [&](const Work& /*work*/, double times) { nodes += times; });
    return nodes;
}

double most_nodes_of_a_rank(const Graph& graph) {
    double most = 0.0;
    for (std::size_t stage = 0; stage < graph.schedule.stages; ++stage)
        most = std::max(most, nodes_of_stage(graph, stage));
    return most;
}

}  // namespace dse::graph
