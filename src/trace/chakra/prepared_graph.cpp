#include "trace/chakra/prepared_graph.hpp"

#include <fmt/format.h>

#include "trace/chakra/node_fields.hpp"

namespace dse::trace::chakra {
namespace {

PreparedItem::Kind kind_of(const graph::Graph& graph, const graph::Item& item) {
    using Kind = PreparedItem::Kind;
    if (item.kind == graph::Item::Kind::repeat) return Kind::nothing;
    const graph::Work& work = graph.works[item.work.index()];
    if (const auto* launch = std::get_if<graph::Launch>(&work); launch != nullptr && launch->kernels == 0.0)
        return Kind::nothing;
    const auto* collective = std::get_if<graph::Collective>(&work);
    if (collective == nullptr || graph.mesh.degree(collective->axes) <= 1) return Kind::node;
    return collective->kind == graph::CollectiveKind::ring_shift ? Kind::shift : Kind::meeting;
}

PreparedItem prepare(const graph::Graph& graph, const graph::Item& item, std::size_t index) {
    const PreparedItem::Kind kind = kind_of(graph, item);
    if (kind == PreparedItem::Kind::nothing) return {};
    const graph::Work& work = graph.works[item.work.index()];
    return {kind, fmt::format("{}.{}", name_of(work), index),
            kind == PreparedItem::Kind::shift ? std::string{} : fields_of(work, item.stream, graph.mesh)};
}

}  // namespace

PreparedGraph::PreparedGraph(const graph::Graph& graph) {
    for (const graph::Region& region : graph.regions) {
        std::vector<PreparedItem>& items = items_.emplace_back();
        for (std::size_t i = 0; i < region.items.size(); ++i)
            items.push_back(prepare(graph, region.items[i], i));
    }
}

}  // namespace dse::trace::chakra
