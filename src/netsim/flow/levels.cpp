#include "netsim/flow/levels.hpp"

#include <algorithm>

#include "dse/hardware/network/domain_links.hpp"
#include "dse/model/network/job_dimensions.hpp"
#include "dse/model/network/spread.hpp"
#include "dse/netsim/flow/fabric.hpp"

namespace dse::netsim::flow {
namespace {

using hardware::DimensionKind;
using hardware::DimensionList;

/// The default levels: domains, and the fabric between them, as switches unless the devices of a domain are
/// joined directly.
DimensionList domains(const hardware::NetworkSpec& network, std::int64_t devices) {
    const std::int64_t inside = std::min(devices, network.scale_up.occupied(devices));
    DimensionList levels;
    const auto add = [&](DimensionKind kind, std::int64_t size) {
        if (size == 1) return;
        hardware::DimensionSpec level;
        level.kind = kind;
        level.size = size;
        level.algorithm = network.topology.collectives;
        levels.push_back(level);
    };
    const bool direct = hardware::DomainLinks{network}.are_direct();
    add(direct ? DimensionKind::fully_connected : DimensionKind::switched, inside);
    add(DimensionKind::switched, devices % inside == 0 ? devices / inside : 0);
    return levels;
}

DimensionList dimensions_of(const hardware::NetworkSpec& network, std::int64_t devices) {
    const bool has_dimensions = topology_kind(network) == hardware::TopologyKind::dimensions;
    return has_dimensions ? model::job_dimensions(network, devices) : domains(network, devices);
}

/// A group without a pattern.
std::vector<Level> plain_level(const hardware::NetworkSpec& network, std::int64_t members) {
    return {{members, DimensionKind::switched, false, network.topology.collectives}};
}

/// Where the members of a group stand along one dimension.
struct Positions {
    std::vector<std::int64_t> all;  ///< distinct, ascending

    [[nodiscard]] std::int64_t members() const { return std::ssize(all); }
    /// Whether each has its neighbours at the same distance, also around the end of a dimension of this size.
    [[nodiscard]] bool closes(std::int64_t size) const {
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool last = i + 1 == all.size();
            if (((last ? all.front() + size : all[i + 1]) - all[i]) * members() != size) return false;
        }
        return true;
    }
};

/// By dimension. The outermost one is as long as needed.
std::vector<Positions> positions_of(std::span<const std::int64_t> members, const DimensionList& dimensions) {
    std::vector<Positions> result(dimensions.size());
    for (const std::int64_t member : members) {
        std::int64_t rest = member;
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            const bool outermost = d + 1 == dimensions.size();
            result[d].all.push_back(outermost ? rest : rest % dimensions[d].size);
            if (!outermost) rest /= dimensions[d].size;
        }
    }
    for (Positions& along : result) {
        std::ranges::sort(along.all);
        along.all.erase(std::unique(along.all.begin(), along.all.end()), along.all.end());
    }
    return result;
}

}  // namespace

std::vector<Level> levels_of(const hardware::NetworkSpec& network, std::int64_t devices,
                             std::span<const std::int64_t> members) {
    const DimensionList dimensions = dimensions_of(network, devices);
    const std::vector<Positions> positions = positions_of(members, dimensions);
    std::int64_t combinations = 1;
    for (const Positions& along : positions) combinations *= along.members();
    // Members are distinct, so as many as there are combinations are all of these.
    if (combinations != std::ssize(members)) return plain_level(network, std::ssize(members));
    std::vector<Level> levels;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const hardware::DimensionSpec& dimension = dimensions[d];
        if (positions[d].members() == 1) continue;
        const bool closed = dimension.kind == DimensionKind::ring && positions[d].closes(dimension.size);
        levels.push_back({positions[d].members(), dimension.kind, closed, dimension.algorithm});
    }
    return levels;
}

std::vector<Level> levels_of(const hardware::NetworkSpec& network, const graph::Mesh& mesh,
                             graph::AxisSet axes) {
    const model::JobSizes sizes = model::sizes_of(dimensions_of(network, mesh.ranks()));
    const bool whole = std::ranges::count(sizes.get(), 0) == 0;
    if (!whole || !model::spread(mesh, axes, sizes.get()).even)
        return plain_level(network, mesh.degree(axes));
    return levels_of(network, mesh.ranks(), mesh.group(axes, 0));
}

}  // namespace dse::netsim::flow
