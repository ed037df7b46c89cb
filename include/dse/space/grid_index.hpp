#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dse/space/space.hpp"

namespace dse::space {

/// The number of an axis's value, nothing where it has no such value.
std::optional<std::uint64_t> place_on(const AxisValues& values, double value);

/// The id that a point has in the grid of a space, by its values.
/// \param values  shape (width(),), of a point of the space
/// \return nothing where an axis is continuous, or the grid has more points than 63 bits number
std::optional<std::uint64_t> grid_index(const Space& space, std::span<const double> values);

}  // namespace dse::space
