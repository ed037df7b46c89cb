#include "dse/workload/totals.hpp"

#include <functional>

namespace dse::workload {
namespace {

/// Calls `visit(work, times)` for every node under a region, repeats multiplied out.
void for_each_work(const Graph& graph, const StageProgram& program, RegionId region, double times,
                   const std::function<void(const Work&, double)>& visit) {
    for (const Item& item : graph.regions[region.index()].items) {
        if (item.kind == Item::Kind::node) {
            visit(graph.works[item.work.index()], times);
            continue;
        }
        const auto count = static_cast<double>(program.counts[item.count.index()]);
        if (count > 0) for_each_work(graph, program, item.body, times * count, visit);
    }
}

/// The regions that a stage plays in one iteration and how often.
void for_each_region(const Graph& graph, std::size_t stage,
                     const std::function<void(RegionId, double)>& visit) {
    const StageProgram& program = graph.programs[graph.program_of[stage]];
    visit(program.update, 1);
    visit(program.finish, 1);
    const std::uint32_t last = graph.schedule.microbatches - 1;
    for (const Task& task : graph.schedule.tasks[stage]) {
        const ChunkProgram& chunk = program.chunks[task.chunk];
        switch (task.pass) {
            case Pass::forward:
                visit(task.microbatch == 0 ? chunk.forward_first : chunk.forward, 1);
                break;
            case Pass::backward:
                visit(task.microbatch == last ? chunk.backward_last : chunk.backward, 1);
                break;
            case Pass::weight:
                visit(task.microbatch == last ? chunk.weight_last : chunk.weight, 1);
                break;
        }
    }
}

}  // namespace

Totals& Totals::operator+=(const Totals& other) {
    model_flop += other.model_flop;
    executed_flop += other.executed_flop;
    memory_traffic += other.memory_traffic;
    kernels += other.kernels;
    return *this;
}

Totals operator*(Totals totals, double factor) {
    totals.model_flop *= factor;
    totals.executed_flop *= factor;
    totals.memory_traffic *= factor;
    totals.kernels *= factor;
    return totals;
}

Totals totals_of_region(const Graph& graph, const StageProgram& program, RegionId region) {
    Totals sum;
    for_each_work(graph, program, region, 1.0, [&](const Work& work, double times) {
        Totals one;
        if (const auto* compute = std::get_if<Compute>(&work)) {
            one.model_flop = compute->model_flop;
            one.executed_flop = compute->executed_flop;
            one.memory_traffic = compute->read + compute->written;
        } else if (const auto* launch = std::get_if<Launch>(&work)) {
            one.kernels = launch->kernels;
        }
        sum += one * times;
    });
    return sum;
}

Totals totals_of_stage(const Graph& graph, std::size_t stage) {
    const StageProgram& program = graph.programs[graph.program_of[stage]];
    // Few distinct regions, many tasks: each region is summed once.
    std::map<std::size_t, double> plays;
    for_each_region(graph, stage, [&](RegionId region, double times) { plays[region.index()] += times; });
    Totals sum;
    for (const auto& [region, times] : plays)
        sum += totals_of_region(graph, program, RegionId(region)) * times;
    return sum;
}

Totals totals(const Graph& graph) {
    Totals sum;
    for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage)
        sum += totals_of_stage(graph, stage);
    const auto stages = static_cast<double>(graph.program_of.size());
    return sum * (static_cast<double>(graph.mesh.ranks()) / stages);
}

CollectiveTotals collectives_of_stage(const Graph& graph, std::size_t stage) {
    const StageProgram& program = graph.programs[graph.program_of[stage]];
    CollectiveTotals result;
    for_each_region(graph, stage, [&](RegionId region, double plays) {
        for_each_work(graph, program, region, plays, [&](const Work& work, double times) {
            const auto* collective = std::get_if<Collective>(&work);
            if (collective == nullptr) return;
            CollectiveTotal& total = result[{collective->kind, collective->axes.bits()}];
            total.count += times;
            total.size += collective->size * times;
        });
    });
    return result;
}

}  // namespace dse::workload
