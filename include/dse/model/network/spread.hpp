#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dse/graph/mesh.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

namespace dse::model {

/// How the groups over some axes lie on the dimensions of a network.
struct Spread {
    /// Members of a group along one dimension, and their distance in devices.
    struct Along {
        std::int64_t members{1};
        std::int64_t stride{1};
        /// Number of separate runs of axes in it; with more than one, distances between members differ.
        std::int64_t runs{0};
    };

    /// A single member in each dimension.
    explicit Spread(std::size_t dimensions) : count{dimensions} {}

    std::array<Along, hardware::DimensionList::capacity> along{};  ///< the first `count` of them
    std::size_t count;
    /// Whether all groups are placed alike, with equally many members in each dimension.
    bool even{true};
};

/// \param mesh   ranks are numbered along the innermost dimension first
/// \param axes   axes that vary within a group
/// \param sizes  devices along each dimension, >= 1; the outermost one is assumed to be as long as needed
Spread spread(const graph::Mesh& mesh, graph::AxisSet axes, std::span<const std::int64_t> sizes);

}  // namespace dse::model
