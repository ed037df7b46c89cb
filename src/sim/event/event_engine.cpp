#include "dse/sim/event/event_engine.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "sim/event/simulation.hpp"
#include "sim/stage_work.hpp"

namespace dse::sim::event {

namespace {

// Takes minutes per rank. A short program text can have loops of a billion iterations.
constexpr double most_nodes = 1U << 28U;

void require_countable(const graph::Graph& graph) {
    const double nodes = graph::most_nodes_of_a_rank(graph);
    if (nodes > most_nodes)
        throw ModelError(
            fmt::format("engine event would play {:.3g} nodes of a rank one by one, more than "
                        "{:.3g}: its loops run too often (engine folded counts them)",
                        nodes, most_nodes));
}

/// For each stage, the rank whose last stream ends last (the first one if several).
std::vector<const Rank*> last_ranks(const Simulation& simulation, std::uint32_t stages) {
    std::vector<const Rank*> last(stages, nullptr);
    for (const Rank& rank : simulation.ranks()) {
        const Rank*& so_far = last[rank.stage];
        if (so_far == nullptr || simulation.last_stream(rank).time > simulation.last_stream(*so_far).time)
            so_far = &rank;
    }
    return last;
}

/// Time of a rank's compute stream by what it was spent on, until the barrier is over.
Parts parts_of(const Rank& rank, const Simulation::LastStream& last, double end) {
    const ActivityPtr& compute = rank.last_on[graph::compute_stream.index()];
    Parts parts = rank.parts;
    charge(compute ? compute->compute_until : 0.0, last.time, last.blame.culprits, parts, nullptr);
    parts.charge(Cause::bubble(), end - last.time);
    return parts;
}

/// The intervals in which the rank waited for others, until the barrier.
Waits waits_of(const Rank& rank, const Simulation::LastStream& last, double end) {
    const ActivityPtr& compute = rank.last_on[graph::compute_stream.index()];
    Waits waits = rank.waits;
    Parts charged;
    charge(compute ? compute->compute_until : 0.0, last.time, last.blame.culprits, charged, &waits);
    Waits::Backwards{&waits}.add(last.time, end);
    return waits;
}

void add_stages(const graph::Graph& graph, const Durations& durations, const Simulation& simulation,
                Result& result) {
    const double end = result.iteration_time - durations.barrier;
    for (const Rank* rank : last_ranks(simulation, graph.schedule.stages)) {
        result.stages.push_back(parts_of(*rank, simulation.last_stream(*rank), end));
        result.stages.back().charge(Cause::of(graph.works[graph.barrier.index()]), durations.barrier);
    }
}

void add_path(const graph::Graph& graph, const Durations& durations, const Simulation& simulation,
              double from, Result& result) {
    const std::vector<const Rank*> ranks = last_ranks(simulation, graph.schedule.stages);
    const Simulation::LastStream last = simulation.last_stream(*ranks[result.last_stage]);
    const graph::Work& barrier = graph.works[graph.barrier.index()];
    const std::uint32_t busiest = busiest_stage(graph, durations);
    const Waits waits = waits_of(*ranks[busiest], simulation.last_stream(*ranks[busiest]), last.time);
    PathLedger ledger{busiest, waits, from};
    ledger.charge(barrier, {busiest, busiest}, last.time, result.iteration_time);
    double end = last.time;
    for (const PathLink* link = last.blame.link.get(); link != nullptr; link = link->before.get()) {
        ledger.charge(graph.works[link->work.index()], link->place, link->start, end);
        end = link->start;
    }
    result.parts = ledger.parts();
}

}  // namespace

MemoryPeak EventEngine::peak_memory(const graph::Graph& graph) {
    require_countable(graph);
    MemoryPeak fullest_stage;
    Pacer pacer{checkpoint()};
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        NoBoundary nobody;
        Rank rank{graph, stage, stage};
        while (const graph::Item* item = rank.cursor.next(nobody)) {
            pacer.step();
            rank.memory.issue(*item, graph);
            rank.cursor.yield({});
        }
        const double host = std::max(fullest_stage.host, rank.memory.host_peak);
        if (stage == 0 || rank.memory.peak > fullest_stage.total) {
            fullest_stage = {stage, rank.memory.peak, rank.memory.at_peak, host};
        }
        fullest_stage.host = host;
    }
    return fullest_stage;
}

Result EventEngine::play(const graph::Graph& graph, const Durations& durations, Asked asked) {
    require_countable(graph);
    const bool wants_path = asked.what == Asked::For::path || asked.what == Asked::For::parts;
    Simulation simulation{graph, durations, wants_path ? Asked::For::parts : asked.what, checkpoint()};
    simulation.run();

    Result result;
    double last = 0.0;
    for (const Rank* rank : last_ranks(simulation, graph.schedule.stages)) {
        const double time = simulation.last_stream(*rank).time;
        if (time > last) result.last_stage = rank->stage;
        last = std::max(last, time);
    }
    result.iteration_time = last + durations.barrier;
    if (result.iteration_time > longest_time) {
        throw ModelError(fmt::format("an iteration of {} s is longer than what is simulated ({} s)",
                                     result.iteration_time, longest_time));
    }
    if (asked.what != Asked::For::time) add_stages(graph, durations, simulation, result);
    if (wants_path) add_path(graph, durations, simulation, asked.parts_from, result);
    result.node_visits = simulation.nodes();
    result.task_visits =
        graph.schedule.tasks.empty() ? 0 : graph.schedule.tasks.front().size() * simulation.ranks().size();
    return result;
}

}  // namespace dse::sim::event
