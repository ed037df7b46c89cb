#include "expert_loads.hpp"

#include "dse/graph/expert_tiles.hpp"

namespace dse::frontend {

using graph::MeshAxis;

namespace {

/// The layer of a dimension of rows with extent `dim`.
graph::RoutedLayer layer_of(const Dimensions::Rows& rows, double dim, std::span<const double> dims,
                            const graph::Mesh& mesh) {
    graph::RoutedLayer layer;
    layer.experts = static_cast<std::int64_t>(dims[rows.experts.index()]);
    layer.chosen = static_cast<std::int64_t>(dims[rows.chosen.index()]);
    layer.devices = mesh.degree(MeshAxis::expert);
    // A group has the rows of its own tokens and divides them among its devices.
    const auto groups = static_cast<double>(mesh.degree(MeshAxis::expert_data));
    layer.rows = dim * dims[rows.experts.index()] / groups / static_cast<double>(layer.devices);
    return layer;
}

}  // namespace

void ExpertLoads::evaluate(const graph::Routing& routing, const Dimensions& dimensions,
                           std::span<const double> dims, Numbers& numbers) {
    numbers.loads.assign(dims.size(), 1.0);
    numbers.experts_in_turn = 0.0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto& rows = dimensions.rows(DimId(i));
        if (!rows) continue;
        numbers.loads[i] = find(routing, layer_of(*rows, dims[i], dims, numbers.mesh));
        if (routing.imbalance == graph::Imbalance::in_turn)
            numbers.experts_in_turn = dims[rows->experts.index()];
    }
}

void ExpertLoads::evaluate_touched(const graph::Routing& routing, const graph::ExpertTiles& tiles,
                                   const Dimensions& dimensions, std::span<const double> dims,
                                   Numbers& numbers) {
    numbers.touched.assign(dims.size(), 1.0);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto& rows = dimensions.rows(DimId(i));
        if (!rows) continue;
        const graph::RoutedLayer layer = layer_of(*rows, dims[i], dims, numbers.mesh);
        const double tokens =
            layer.rows * static_cast<double>(layer.devices) / static_cast<double>(layer.chosen);
        numbers.touched[rows->experts.index()] = graph::fullest_readings(routing, layer, tokens, tiles);
    }
}

double ExpertLoads::find(const graph::Routing& routing, const graph::RoutedLayer& layer) {
    const bool balanced =
        routing.imbalance == graph::Imbalance::balanced || routing.imbalance == graph::Imbalance::in_turn;
    if (balanced || routing.capacity_factor > 0.0) return graph::fullest_load(routing, layer);
    constexpr std::size_t most_known = 4096;
    if (routing_ != routing || known_.size() >= most_known) known_.clear();
    routing_ = routing;
    const auto found = known_.find(layer);
    if (found != known_.end()) return found->second;
    return known_.emplace(layer, graph::fullest_load(routing, layer)).first->second;
}

}  // namespace dse::frontend
