#pragma once

#include <cstdint>

#include "dse/graph/mesh.hpp"

namespace dse::model {

/// Adjacent axes of a group combined into one: `extent` members, `stride` ranks apart.
struct AxisRun {
    std::int64_t stride{1};
    std::int64_t extent{1};

    /// Distance in ranks from the first member of a run to that of the next run.
    [[nodiscard]] std::int64_t span() const { return stride * extent; }
};

/// Calls `look(run)` for the runs that the groups over `axes` consist of, innermost first; each has more than
/// one member.
template <class Look>
void for_axis_runs(const graph::Mesh& mesh, graph::AxisSet axes, Look&& look) {
    AxisRun run;
    std::int64_t stride = 1;
    const graph::AxisSet folding = graph::folding_of(axes);
    for (const graph::MeshAxis axis : mesh.order) {
        const std::int64_t degree = mesh.degree(axis);
        if (degree == 1 || !folding.contains(axis)) continue;
        if (axes.contains(axis)) {
            if (run.extent == 1) run.stride = stride;
            run.extent *= degree;
        } else if (run.extent > 1) {
            look(run);
            run = AxisRun{};
        }
        stride *= degree;
    }
    if (run.extent > 1) look(run);
}

}  // namespace dse::model
