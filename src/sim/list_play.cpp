#include "dse/sim/list_play.hpp"

#include "dse/sim/fold/folded_engine.hpp"

namespace dse::sim {

std::vector<Timeline> list_play(const graph::Graph& graph, const Durations& durations,
                                const std::vector<std::uint32_t>& stages) {
    fold::FoldedEngine engine;
    std::vector<Timeline> timelines;
    engine.play(graph, durations, stages, timelines);
    return timelines;
}

}  // namespace dse::sim
