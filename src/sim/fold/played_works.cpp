#include "dse/sim/fold/played_works.hpp"

#include <algorithm>
#include <utility>

#include "dse/graph/totals.hpp"
#include "sim/stage_work.hpp"

namespace dse::sim::fold {

void PlayedWorks::read(const graph::Graph& graph) {
    if (of_.is(graph) && graph.schedule.identity != 0 && schedule_ == graph.schedule.identity) return;
    of_ = GraphNumbers::of(graph);
    schedule_ = graph.schedule.identity;
    nodes_ = 0.0;
    distinct_.clear();
    of_stage_.clear();
    nodes_of_.clear();
    for (std::size_t stage = 0; stage < graph.schedule.stages; ++stage) read_stage(stage);
}

/// Stages with one program run the same works, unless tasks are merged as the schedule has them.
void PlayedWorks::read_stage(std::size_t stage) {
    const graph::Graph& graph = *of_.graph;
    const auto programs = graph.program_of.begin();
    const auto same =
        std::find(programs, programs + static_cast<std::ptrdiff_t>(stage), graph.program_of[stage]);
    const auto before = static_cast<std::size_t>(same - programs);
    if (before < stage && !graph::overlaps_tasks(graph.schedule)) {
        nodes_ += nodes_of_[before];
        nodes_of_.push_back(nodes_of_[before]);
        of_stage_.push_back(of_stage_[before]);
        return;
    }
    double nodes = 0.0;
    times_.assign(graph.works.size(), 0.0);
    graph::for_each_played_work(graph, stage, [&](const graph::Work& work, double times) {
        nodes += times;
        times_[static_cast<std::size_t>(&work - graph.works.data())] += times;
    });
    nodes_ += nodes;
    nodes_of_.push_back(nodes);
    Stage played;
    for (std::size_t work = 0; work < times_.size(); ++work) {
        if (times_[work] > 0 && counts_as_work(graph.works[work])) played.push_back({work, times_[work]});
    }
    const auto known = std::find(distinct_.begin(), distinct_.end(), played);
    of_stage_.push_back(static_cast<std::size_t>(known - distinct_.begin()));
    if (known == distinct_.end()) distinct_.push_back(std::move(played));
}

double PlayedWorks::work_of(const Stage& stage, const Durations& durations) const {
    double sum = 0.0;
    for (const Played& played : stage)
        sum += played.times * work_time(of_.graph->works[played.work], durations.of_work[played.work]);
    return sum;
}

std::uint32_t PlayedWorks::busiest_stage(const Durations& durations) {
    work_.clear();
    for (const Stage& stage : distinct_) work_.push_back(work_of(stage, durations));
    const auto busiest =
        std::max_element(of_stage_.begin(), of_stage_.end(),
                         [this](std::size_t a, std::size_t b) { return work_[a] < work_[b]; });
    return static_cast<std::uint32_t>(busiest - of_stage_.begin());
}

}  // namespace dse::sim::fold
