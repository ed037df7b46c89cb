#include "dse/model/network/group_mesh.hpp"

#include <algorithm>
#include <vector>

#include "dse/base/check.hpp"

namespace dse::model {
namespace {

using graph::AxisSet;
using graph::Mesh;
using graph::MeshAxis;

/// Members at equal distances, and the first member of each row.
struct Rows {
    std::int64_t distance{1};
    std::int64_t length{1};
    std::vector<std::int64_t> firsts;
};

/// All rows have the length of the first. Whether they really are equal is checked by comparing the mesh's
/// group.
Rows rows_of(const std::vector<std::int64_t>& sorted) {
    Rows rows;
    if (sorted.size() > 1) rows.distance = sorted[1] - sorted[0];
    const auto length = [&] {
        std::size_t n = 1;
        while (n < sorted.size() && sorted[n] - sorted[n - 1] == rows.distance) ++n;
        return n;
    }();
    rows.length = static_cast<std::int64_t>(length);
    for (std::size_t i = 0; i < sorted.size(); i += length) rows.firsts.push_back(sorted[i]);
    return rows;
}

}  // namespace

std::optional<GroupMesh> group_mesh(std::span<const std::int64_t> members, std::int64_t devices) {
    DSE_EXPECT(!members.empty());
    std::vector<std::int64_t> sorted{members.begin(), members.end()};
    std::ranges::sort(sorted);
    const Rows inner = rows_of(sorted);
    const Rows outer = rows_of(inner.firsts);
    const std::int64_t row = inner.distance * inner.length;
    const std::int64_t gap = inner.firsts.size() > 1 ? outer.distance / row : 1;
    const std::int64_t filled = row * gap * outer.length;
    if (gap < 1 || filled < 1 || devices % filled != 0) return std::nullopt;

    // Innermost first: distance between neighbours, row length, gap between rows, number of rows, the rest.
    GroupMesh result;
    result.mesh.set_degree(MeshAxis::tensor, inner.distance);
    result.mesh.set_degree(MeshAxis::context, inner.length);
    result.mesh.set_degree(MeshAxis::data, gap);
    result.mesh.set_degree(MeshAxis::expert_data, row * gap);
    result.mesh.set_degree(MeshAxis::replica, outer.length);
    result.mesh.set_degree(MeshAxis::pipeline, devices / filled);
    result.axes = AxisSet{MeshAxis::context} | MeshAxis::replica;
    if (result.mesh.group(result.axes, sorted.front()) != sorted) return std::nullopt;
    return result;
}

Mesh line_mesh(std::int64_t devices) {
    return Mesh::dense(1, 1, 1, devices);
}

}  // namespace dse::model
