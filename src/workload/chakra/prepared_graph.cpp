#include "workload/chakra/prepared_graph.hpp"

#include <fmt/format.h>

#include "workload/chakra/node_fields.hpp"

namespace dse::workload::chakra {
namespace {

PreparedItem prepare(const Graph& graph, const Item& item, std::size_t index) {
    if (item.kind == Item::Kind::repeat) return {};
    const Work& work = graph.works[item.work.index()];
    if (std::holds_alternative<Launch>(work)) return {};
    const auto* collective = std::get_if<Collective>(&work);
    return {true, collective != nullptr && graph.mesh.degree(collective->axes) > 1,
            fmt::format("{}.{}", name_of(work), index), fields_of(work, item.stream, graph.mesh)};
}

}  // namespace

PreparedGraph::PreparedGraph(const Graph& graph) {
    for (const Region& region : graph.regions) {
        std::vector<PreparedItem>& items = items_.emplace_back();
        for (std::size_t i = 0; i < region.items.size(); ++i)
            items.push_back(prepare(graph, region.items[i], i));
    }
}

}  // namespace dse::workload::chakra
