#include "dse/eval/why/played_point.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "dse/graph/workload_spec.hpp"
#include "dse/sim/list_play.hpp"

namespace dse::eval {
namespace {

// About 100 bytes each.
constexpr double most_nodes = 1U << 24U;

const graph::Graph& listable(const graph::Graph& graph) {
    double nodes = 0.0;
    for (std::size_t stage = 0; stage < graph.schedule.stages; ++stage)
        nodes += graph::nodes_of_stage(graph, stage);
    if (nodes > most_nodes)
        throw ModelError(fmt::format(
            "{:.3g} nodes are too many to list, more than {:.3g}: its loops run often", nodes, most_nodes));
    return graph;
}

}  // namespace

PlayedPoint::PlayedPoint(const Explanation& explanation)
    : graph_{listable(*explanation.graph)},
      unit_{explanation.durations->unit},
      busiest_stage_{explanation.result.parts.value().busiest_stage},
      last_stage_{explanation.result.last_stage} {
    DSE_EXPECT(explanation.result.iteration_time > 0.0);
    std::vector<std::uint32_t> stages(graph_.schedule.stages);
    std::iota(stages.begin(), stages.end(), 0U);
    timelines_ = sim::list_play(graph_, *explanation.durations, stages);
    dependencies_.emplace(graph_, *explanation.durations, timelines_);
    const double end = timelines_[last_stage_].end;
    path_ = sim::critical_path(*dependencies_, last_stage_, end);
    window_ = {0.0, end};
    if (graph_.schedule.forward_only && graph_.schedule.chunks > 1) {
        steps_ = std::min<double>(graph_.schedule.chunks, graph::decode_steps);
        window_.from = end - steps_ * explanation.result.iteration_time / unit_;
    }
}

}  // namespace dse::eval
