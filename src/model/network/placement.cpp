#include "dse/model/network/placement.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/model/network/spread.hpp"

namespace dse::model {

Placement place(const workload::Mesh& mesh, workload::AxisSet axes, std::int64_t domain) {
    DSE_EXPECT(domain >= 1);
    if (mesh.ranks() <= domain) return {mesh.degree(axes), 1};
    const Spread group = spread(mesh, axes, std::array{domain, std::int64_t{1}});
    if (group.even) return {group.along[0].members, group.along[1].members};
    throw ModelError(
        fmt::format("a group of {} ranks straddles scale-up domains of {} devices unevenly (choose degrees "
                    "that divide the domain)",
                    mesh.degree(axes), domain));
}

bool stages_cross_domains(const workload::Mesh& mesh, std::int64_t from, std::int64_t to,
                          std::int64_t domain) {
    const std::int64_t stride = mesh.stride(workload::MeshAxis::pipeline);
    const std::int64_t span = stride * mesh.degree(workload::MeshAxis::pipeline);
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
