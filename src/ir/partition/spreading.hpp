#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// Directions in which layouts may propagate through an operation.
enum class Direction : std::uint8_t { none = 0, forward = 1, backward = 2, both = 3 };

/// Propagates axes inside one relation: for each factor the axes that its arrays agree on, to every array
/// that can take them. If two factors of an array want the same axis, one gets it: the factor contributed by
/// the array with the most elements; for element-wise operations then the one with more parts; then that of
/// the first array, the first factor. Disputes do not delay the rest.
/// \param directions  by factor
/// \return whether anything has changed
/// Source: Shardy, "aggressive strategy"
bool spread_axes(Projection& projection, const Relation& relation, const std::vector<Direction>& directions);

}  // namespace dse::ir::partition
