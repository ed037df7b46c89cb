#include "dse/graph/mesh.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::graph {

std::string_view short_name(MeshAxis axis) {
    constexpr std::array<std::string_view, mesh_axis_count> names{"tp", "cp",           "ep",  "dp",
                                                                  "pp", "dp_replicate", "etp", "edp"};
    return names[static_cast<std::size_t>(axis)];
}

std::string name(AxisSet axes) {
    std::string text;
    for (std::size_t i = 0; i < mesh_axis_count; ++i) {
        const auto axis = static_cast<MeshAxis>(i);
        if (!axes.contains(axis)) continue;
        if (!text.empty()) text += '+';
        text += short_name(axis);
    }
    return text.empty() ? "none" : text;
}

Mesh Mesh::dense(std::int64_t tp, std::int64_t cp, std::int64_t dp, std::int64_t pp) {
    Mesh mesh;
    mesh.set_degree(MeshAxis::tensor, tp);
    mesh.set_degree(MeshAxis::context, cp);
    mesh.set_degree(MeshAxis::data, dp);
    mesh.set_degree(MeshAxis::pipeline, pp);
    mesh.set_degree(MeshAxis::expert_data, tp * cp * dp);
    return mesh;
}

std::int64_t Mesh::degree(AxisSet axes) const {
    std::int64_t product = 1;
    for (const MeshAxis axis : order) {
        if (axes.contains(axis)) product *= degree(axis);
    }
    return product;
}

std::int64_t Mesh::ranks() const {
    return degree(folding_of(attention_axes));
}

std::int64_t Mesh::stride(MeshAxis axis) const {
    const AxisSet folding = folding_of(axis);
    std::int64_t distance = 1;
    for (const MeshAxis inner : order) {
        if (inner == axis) return distance;
        if (folding.contains(inner)) distance *= degree(inner);
    }
    DSE_REQUIRE(false && "every axis is in Mesh::order");
    return 0;
}

std::int64_t Mesh::coordinate(MeshAxis axis, std::int64_t rank) const {
    return rank / stride(axis) % degree(axis);
}

std::vector<std::int64_t> Mesh::group(AxisSet axes, std::int64_t rank) const {
    DSE_EXPECT(rank >= 0 && rank < ranks());
    DSE_REQUIRE(folding_of(axes).contains(axes) && "a group lies in one folding of the ranks");
    std::vector<std::int64_t> members{rank};
    for (const MeshAxis axis : order) {
        if (!axes.contains(axis)) continue;
        const std::int64_t step = stride(axis);
        const std::int64_t origin = coordinate(axis, rank) * step;
        const std::vector<std::int64_t> inner = members;
        members.clear();
        for (std::int64_t position = 0; position < degree(axis); ++position) {
            for (const std::int64_t member : inner) members.push_back(member - origin + position * step);
        }
    }
    std::sort(members.begin(), members.end());
    return members;
}

}  // namespace dse::graph
