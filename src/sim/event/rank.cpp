#include "sim/event/rank.hpp"

#include <algorithm>

namespace dse::sim::event {

void MemoryCount::allocate(const graph::Buffer& buffer) {
    if (buffer.kind == graph::host_memory) {
        host += buffer.size.value();
        host_peak = std::max(host_peak, host);
        return;
    }
    level += buffer.size.value();
    levels[static_cast<std::size_t>(buffer.kind)] += buffer.size.value();
}

void MemoryCount::free(const graph::Buffer& buffer) {
    if (buffer.kind == graph::host_memory) {
        host -= buffer.size.value();
        return;
    }
    level -= buffer.size.value();
    levels[static_cast<std::size_t>(buffer.kind)] -= buffer.size.value();
}

void MemoryCount::issue(const graph::Item& node, const graph::Graph& graph) {
    for (const graph::BufferId id : node.allocates) allocate(graph.buffers[id.index()]);
    if (level > peak) {
        peak = level;
        at_peak = levels;
    }
    for (const graph::BufferId id : node.frees) free(graph.buffers[id.index()]);
}

Rank::Rank(const graph::Graph& graph, std::int64_t number_of_it, std::uint32_t stage_of_it)
    : number{number_of_it}, stage{stage_of_it}, last_on(graph.streams.size()), cursor{graph, stage_of_it} {
    const graph::StageProgram& program = graph.programs[graph.program_of[stage]];
    for (const graph::BufferId id : program.resident) memory.allocate(graph.buffers[id.index()]);
    memory.peak = memory.level;
    memory.at_peak = memory.levels;
}

}  // namespace dse::sim::event
