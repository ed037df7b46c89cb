#include "graph_tables.hpp"

#include "dse/base/check.hpp"

namespace dse::frontend {

using graph::Work;

GraphTables::GraphTables(graph::Graph& graph) : graph_{graph} {
    graph_.names.emplace_back();
}

GraphTables::Key GraphTables::key_of(const Work& work) {
    const auto kind = static_cast<double>(work.index());
    const auto number = [](auto value) { return static_cast<double>(value); };
    if (const auto* c = std::get_if<graph::Compute>(&work)) {
        return {kind,
                number(c->op_class),
                number(c->precision),
                c->gemm.batch,
                c->gemm.m,
                c->gemm.n,
                c->gemm.k,
                c->model_flop.value(),
                c->efficiency,
                c->executed_flop.value(),
                c->read.value(),
                c->written.value(),
                c->kernels,
                c->lane_cycles};
    }
    if (const auto* c = std::get_if<graph::Collective>(&work))
        return {kind, number(c->kind), number(c->axes.bits()), c->size.value(), c->exposed};
    if (const auto* copy = std::get_if<graph::Copy>(&work))
        return {kind, copy->size.value(), number(copy->direction)};
    const auto* launch = std::get_if<graph::Launch>(&work);
    DSE_REQUIRE(launch != nullptr);
    return {kind, launch->kernels};
}

graph::WorkId GraphTables::own_work(const Work& work) {
    graph_.works.push_back(work);
    return graph::WorkId{graph_.works.size() - 1};
}

graph::WorkId GraphTables::work(const Work& work) {
    const auto [found, is_new] = works_.try_emplace(key_of(work), graph::WorkId{graph_.works.size()});
    if (is_new) graph_.works.push_back(work);
    return found->second;
}

graph::BufferId GraphTables::buffer(graph::MemoryKind kind, Bytes size) {
    const auto [found, is_new] =
        buffers_.try_emplace({kind, size.value()}, graph::BufferId{graph_.buffers.size()});
    if (is_new) graph_.buffers.push_back({kind, size});
    return found->second;
}

graph::NameId GraphTables::name(std::string_view text) {
    const auto [found, is_new] = names_.try_emplace(std::string{text}, graph::NameId{graph_.names.size()});
    if (is_new) graph_.names.emplace_back(text);
    return found->second;
}

}  // namespace dse::frontend
