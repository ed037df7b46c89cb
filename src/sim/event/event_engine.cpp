#include "dse/sim/event/event_engine.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "dse/sim/event/simulation.hpp"

namespace dse::sim::event {

namespace {

// Minutes a rank. Loops of a billion iterations are a short text.
constexpr double most_nodes = 1U << 28U;

void require_countable(const graph::Graph& graph) {
    const double nodes = graph::most_nodes_of_a_rank(graph);
    if (nodes > most_nodes)
        throw ModelError(
            fmt::format("engine event would play {:.3g} nodes of a rank one by one, more than "
                        "{:.3g}: its loops run too often (engine folded counts them)",
                        nodes, most_nodes));
}

/// \return the first rank of the first stage whose last stream ends last
const Rank& limiting_rank(const Simulation& simulation) {
    const Rank* result = &simulation.ranks().front();
    double last = simulation.last_stream(*result).time;
    for (const Rank& rank : simulation.ranks()) {
        const double time = simulation.last_stream(rank).time;
        if (time > last || (time == last && rank.stage < result->stage)) {
            last = time;
            result = &rank;
        }
    }
    return *result;
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

Result EventEngine::play(const graph::Graph& graph, const Durations& durations) {
    require_countable(graph);
    Simulation simulation{graph, durations, checkpoint()};
    simulation.run();

    const Rank& limiting = limiting_rank(simulation);
    const SignalTime last = simulation.last_stream(limiting);
    const ActivityPtr& compute = limiting.last_on[graph::compute_stream.index()];
    Result result;
    result.limiting_stage = limiting.stage;
    result.iteration_time = last.time + durations.barrier;
    if (result.iteration_time > longest_time) {
        throw ModelError(fmt::format("an iteration of {} s is longer than what is simulated ({} s)",
                                     result.iteration_time, longest_time));
    }
    result.parts = limiting.parts;
    charge(result.parts, compute ? compute->compute_until : 0.0, last.time, last.culprits);
    result.parts.charge(Cause::of(graph.works[graph.barrier.index()]), durations.barrier);
    result.node_visits = simulation.nodes();
    result.task_visits =
        graph.schedule.tasks.empty() ? 0 : graph.schedule.tasks.front().size() * simulation.ranks().size();
    return result;
}

}  // namespace dse::sim::event
