#include "workload/chakra/prepared_graph.hpp"

#include <fmt/format.h>

#include "workload/chakra/node_fields.hpp"

namespace dse::workload::chakra {
namespace {

PreparedItem::Kind kind_of(const Graph& graph, const Item& item) {
    using Kind = PreparedItem::Kind;
    if (item.kind == Item::Kind::repeat) return Kind::nothing;
    const Work& work = graph.works[item.work.index()];
    if (const auto* launch = std::get_if<Launch>(&work); launch != nullptr && launch->kernels == 0.0)
        return Kind::nothing;
    const auto* collective = std::get_if<Collective>(&work);
    if (collective == nullptr || graph.mesh.degree(collective->axes) <= 1) return Kind::node;
    return collective->kind == CollectiveKind::ring_shift ? Kind::shift : Kind::meeting;
}

PreparedItem prepare(const Graph& graph, const Item& item, std::size_t index) {
    const PreparedItem::Kind kind = kind_of(graph, item);
    if (kind == PreparedItem::Kind::nothing) return {};
    const Work& work = graph.works[item.work.index()];
    return {kind, fmt::format("{}.{}", name_of(work), index),
            kind == PreparedItem::Kind::shift ? std::string{} : fields_of(work, item.stream, graph.mesh)};
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
