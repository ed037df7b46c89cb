#pragma once

#include <cstdint>
#include <span>

#include "dse/hardware/network/dimension_spec.hpp"
#include "dse/model/network/spread.hpp"

namespace dse::model {

/// Number of links between two different positions along a dimension: the shorter way around a ring, the
/// distance along a mesh, 2 through a switch, 1 if fully connected.
std::int64_t links_between(hardware::DimensionKind kind, std::int64_t size, std::int64_t from,
                           std::int64_t to);

/// Calls `look(rank, peer)` for the ranks of pipeline stage `from` and their peers in stage `to`: for one
/// pair if all pairs are placed alike on the dimensions, else for each.
template <class Look>
void for_stage_pairs(const graph::Mesh& mesh, std::int64_t from, std::int64_t to,
                     std::span<const std::int64_t> sizes, Look&& look) {
    const std::int64_t stride = mesh.stride(graph::MeshAxis::pipeline);
    const std::int64_t span = stride * mesh.degree(graph::MeshAxis::pipeline);
    const bool alike = spread(mesh, graph::MeshAxis::pipeline, sizes).even;
    for (std::int64_t block = 0; block < mesh.ranks(); block += span) {
        for (std::int64_t rank = 0; rank < stride; ++rank) {
            look(block + from * stride + rank, block + to * stride + rank);
            if (alike) return;
        }
    }
}

}  // namespace dse::model
