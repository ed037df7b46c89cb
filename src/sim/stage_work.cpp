#include "sim/stage_work.hpp"

#include <algorithm>
#include <set>

#include "dse/graph/totals.hpp"

namespace dse::sim {
namespace {

/// How long the compute stream is expected to wait for a collective: until its value is ready, except for
/// data parallelism and between stages, whose values are needed later if at all. Added to this is what
/// kernels lose beside it.
double exposed(const graph::Collective& collective, const NodeTime& time) {
    constexpr graph::AxisSet needed_later = graph::data_parallel_axes | graph::MeshAxis::pipeline;
    const double awaited = (collective.axes & needed_later).empty() ? time.visible : 0.0;
    return std::max(time.hold, awaited) + time.lost;
}

/// \param table  kernel table of the rank; 0: Durations::of_work
double work_of(const graph::Graph& graph, const Durations& durations, std::uint32_t stage,
               std::uint16_t table) {
    double sum = 0.0;
    graph::for_each_played_work(graph, stage, [&](const graph::Work& work, double times) {
        if (!counts_as_work(work)) return;
        const auto id = static_cast<std::size_t>(&work - graph.works.data());
        const bool is_of_table = table != 0 && std::holds_alternative<graph::Compute>(work);
        sum += times * (is_of_table ? durations.kernel_tables[table - 1U][id]
                                    : work_time(work, durations.of_work[id]));
    });
    return sum;
}

std::set<std::uint16_t> tables_of(const graph::Graph& graph, const Durations& durations,
                                  std::uint32_t stage) {
    if (durations.kernel_table_of.empty()) return {0};
    std::set<std::uint16_t> tables;
    for (std::int64_t rank = 0; rank < graph.mesh.ranks(); ++rank) {
        if (graph.mesh.coordinate(graph::MeshAxis::pipeline, rank) == stage)
            tables.insert(durations.kernel_table_of[static_cast<std::size_t>(rank)]);
    }
    return tables;
}

}  // namespace

bool counts_as_work(const graph::Work& work) {
    return std::holds_alternative<graph::Collective>(work) || std::holds_alternative<graph::Compute>(work);
}

double work_time(const graph::Work& work, const NodeTime& time) {
    const auto* collective = std::get_if<graph::Collective>(&work);
    return collective == nullptr ? time.duration : exposed(*collective, time);
}

std::vector<double> stage_work(const graph::Graph& graph, const Durations& durations) {
    std::vector<double> result(graph.schedule.stages, 0.0);
    for (std::uint32_t stage = 0; stage < result.size(); ++stage) {
        for (const std::uint16_t table : tables_of(graph, durations, stage))
            result[stage] = std::max(result[stage], work_of(graph, durations, stage, table));
    }
    return result;
}

std::uint32_t busiest_stage(const graph::Graph& graph, const Durations& durations) {
    const std::vector<double> work = stage_work(graph, durations);
    return static_cast<std::uint32_t>(std::max_element(work.begin(), work.end()) - work.begin());
}

}  // namespace dse::sim
