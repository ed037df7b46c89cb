#include "dse/graph/rank_order.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

constexpr std::array<MeshAxis, 5> usual{MeshAxis::tensor, MeshAxis::context, MeshAxis::expert, MeshAxis::data,
                                        MeshAxis::pipeline};

/// The orders of five positions, the identity first.
struct Orders {
    std::vector<std::array<std::uint8_t, 5>> positions;
    std::vector<std::string> texts;
    std::vector<std::string_view> names;

    Orders() {
        std::array<std::uint8_t, 5> order{0, 1, 2, 3, 4};
        do {
            positions.push_back(order);
            std::string text;
            for (const std::uint8_t position : order)
                text += (text.empty() ? "" : "-") + std::string(short_name(usual[position]));
            texts.push_back(std::move(text));
        } while (std::next_permutation(order.begin(), order.end()));
        names.assign(texts.begin(), texts.end());
    }
};

const Orders& orders() {
    static const Orders all;
    return all;
}

/// Stride in ranks along an axis that belongs to both foldings, within one of them.
std::int64_t stride_in(AxisSet folding, MeshAxis axis, const Mesh& mesh) {
    std::int64_t stride = 1;
    for (const MeshAxis inner : mesh.order) {
        if (inner == axis) break;
        if (folding.contains(inner)) stride *= mesh.degree(inner);
    }
    return stride;
}

/// Checks that both foldings have the same ranks at each position along a common axis.
void require_equal(MeshAxis axis, const char* what, const Mesh& mesh) {
    const std::int64_t attention = stride_in(folding_of(attention_axes), axis, mesh);
    const std::int64_t experts = stride_in(folding_of(expert_axes), axis, mesh);
    if (mesh.degree(axis) == 1 || attention == experts) return;
    throw ModelError(
        fmt::format("neighbouring {} are {} ranks apart for attention and {} for experts (let {} be the last "
                    "of rank_order, or the degrees before it have the same product)",
                    what, attention, experts, axis == MeshAxis::replica ? "dp and pp" : "pp"));
}

}  // namespace

std::span<const std::string_view> choice_names(RankOrder) {
    return orders().names;
}

void set_order(RankOrder order, Mesh& mesh) {
    auto next = mesh.order.begin();
    for (const std::uint8_t position : orders().positions[static_cast<std::size_t>(order)]) {
        const MeshAxis axis = usual[position];
        *next++ = axis;
        if (axis == MeshAxis::tensor) *next++ = MeshAxis::expert_tensor;
        if (axis != MeshAxis::data) continue;
        *next++ = MeshAxis::expert_data;
        *next++ = MeshAxis::replica;
    }
}

void require_equal_stages(const Mesh& mesh) {
    require_equal(MeshAxis::pipeline, "stages", mesh);
    require_equal(MeshAxis::replica, "replicas", mesh);
}

}  // namespace dse::graph
