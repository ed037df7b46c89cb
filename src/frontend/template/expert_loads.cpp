#include "expert_loads.hpp"

namespace dse::frontend {

using workload::MeshAxis;

void ExpertLoads::evaluate(const workload::Routing& routing, const Dimensions& dimensions,
                           std::span<const double> dims, Numbers& numbers) {
    numbers.loads.assign(dims.size(), 1.0);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto& rows = dimensions.rows(DimId(i));
        if (!rows) continue;
        workload::RoutedLayer layer;
        layer.experts = static_cast<std::int64_t>(dims[rows->experts.index()]);
        layer.chosen = static_cast<std::int64_t>(dims[rows->chosen.index()]);
        layer.devices = numbers.mesh.degree(MeshAxis::expert);
        // Of all rows, a group has those of its own tokens, and shares them out among its devices.
        const auto groups = static_cast<double>(numbers.mesh.degree(MeshAxis::expert_data));
        layer.rows = dims[i] * dims[rows->experts.index()] / groups / static_cast<double>(layer.devices);
        numbers.loads[i] = find(routing, layer);
    }
}

double ExpertLoads::find(const workload::Routing& routing, const workload::RoutedLayer& layer) {
    const bool balanced = routing.imbalance == workload::Imbalance::balanced;
    if (balanced || routing.capacity_factor > 0.0) return workload::fullest_load(routing, layer);
    constexpr std::size_t most_known = 4096;
    if (routing_ != routing || known_.size() >= most_known) known_.clear();
    routing_ = routing;
    const auto found = known_.find(layer);
    if (found != known_.end()) return found->second;
    return known_.emplace(layer, workload::fullest_load(routing, layer)).first->second;
}

}  // namespace dse::frontend
