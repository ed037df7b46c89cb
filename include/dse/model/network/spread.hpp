#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dse/graph/mesh.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

namespace dse::model {

/// How the groups over some axes lie on the dimensions of a network. On the way of every collective of every
/// point: it sets no more than it has dimensions.
struct Spread {
    /// Of one dimension: so many members of a group along it, so many devices apart.
    struct Along {
        std::int64_t members;
        std::int64_t stride;
        /// Separate runs of axes that lie in it; with more than one the distances between members differ.
        std::int64_t runs;
    };

    /// One member alone in each dimension.
    explicit Spread(std::size_t dimensions) : count{dimensions} {
        for (std::size_t d = 0; d < count; ++d) along[d] = {1, 1, 0};
    }

    std::array<Along, hardware::DimensionList::capacity> along;  ///< the first `count` of them
    std::size_t count;
    /// Whether every group lies like every other, and all its members have equal company in each dimension.
    bool even{true};
};

/// \param mesh   ranks are numbered along the innermost dimension first
/// \param axes   that vary inside a group
/// \param sizes  devices along each dimension, >= 1; the outermost is taken to be as long as needed
Spread spread(const graph::Mesh& mesh, graph::AxisSet axes, std::span<const std::int64_t> sizes);

}  // namespace dse::model
