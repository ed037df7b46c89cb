#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// Directions in which layouts may propagate through an operation.
enum class Direction : std::uint8_t { none = 0, forward = 1, backward = 2, both = 3 };

/// Propagates axes within one relation: for each factor, the axes that its arrays agree on are given to every
/// array that can take them. If two factors of an array want the same axis, it goes to the one contributed by
/// the array with the most elements; among equals, in element-wise operations, to the one with more parts;
/// then to that of the first array; then to the first factor. Disputes do not delay the propagation of other
/// axes.
/// \param directions  by factor
/// \return whether anything has changed
/// Source: Shardy, "aggressive strategy"
bool spread_axes(Projection& projection, const Relation& relation, const std::vector<Direction>& directions);

}  // namespace dse::ir::partition
