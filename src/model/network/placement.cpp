#include "dse/model/network/placement.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "model/network/axis_runs.hpp"

namespace dse::model {
namespace {

/// Adds the members of a run to a placement; returns false if they are unevenly distributed. A special case
/// of spread(), which handles any number of dimensions; kept separate because it is on the hot path of every
/// collective of every point.
bool add(const AxisRun& run, std::int64_t domain, Placement& placement) {
    const std::int64_t span = run.span();
    if (run.stride >= domain) {
        // Members are at least a domain apart, so each is in a domain of its own.
        placement.domains *= run.extent;
        return true;
    }
    if (span <= domain) {
        placement.inside *= run.extent;
        return domain % span == 0;
    }
    placement.inside *= domain / run.stride;
    placement.domains *= span / domain;
    return domain % run.stride == 0 && span % domain == 0;
}

}  // namespace

Placement place(const graph::Mesh& mesh, graph::AxisSet axes, std::int64_t domain) {
    DSE_EXPECT(domain >= 1);
    if (mesh.ranks() <= domain) return {mesh.degree(axes), 1};
    Placement placement;
    bool even = true;
    for_axis_runs(mesh, axes, [&](const AxisRun& run) { even = add(run, domain, placement) && even; });
    if (even) return placement;
    throw ModelError(
        fmt::format("a group of {} ranks straddles scale-up domains of {} devices unevenly (choose degrees "
                    "that divide the domain)",
                    mesh.degree(axes), domain));
}

bool stages_cross_domains(const graph::Mesh& mesh, std::int64_t from, std::int64_t to, std::int64_t domain) {
    const std::int64_t stride = mesh.stride(graph::MeshAxis::pipeline);
    const std::int64_t span = stride * mesh.degree(graph::MeshAxis::pipeline);
    if (from == to || mesh.ranks() <= domain || domain % span == 0) return false;
    // A stage is a run of `stride` ranks, repeated every `span`. Its ranks and their peers share one domain
    // only if the first rank and the last peer do.
    const std::int64_t first = std::min(from, to) * stride;
    const std::int64_t last = (std::max(from, to) + 1) * stride - 1;
    for (std::int64_t block = 0; block < mesh.ranks(); block += span) {
        if ((block + first) / domain != (block + last) / domain) return true;
    }
    return false;
}

}  // namespace dse::model
