#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dse/space/space.hpp"

namespace dse::space {

/// Index of a value on an axis; nothing if the axis does not have it.
std::optional<std::uint64_t> place_on(const AxisValues& values, double value);

/// Id of a point in the grid of a space, from its values.
/// \param values  values of a point of the space, shape (width(),)
/// \return nothing if an axis is continuous, or if ids do not fit into 63 bits
std::optional<std::uint64_t> grid_index(const Space& space, std::span<const double> values);

}  // namespace dse::space
