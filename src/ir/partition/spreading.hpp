#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// Which way an operation's layouts may spread.
enum class Direction : std::uint8_t { none = 0, forward = 1, backward = 2, both = 3 };

/// Spreads axes inside one relation: of each factor the axes that its arrays agree on, into every array that
/// can take them. Where two factors of one array want an axis, one gets it: the factor that the array of most
/// elements brings; of element-wise operations then the one with more parts; then that of the first array,
/// the first factor. What is disputed does not keep the rest from spreading.
/// \param directions  by factor \return whether anything changed
/// Source: Shardy, "aggressive strategy"
bool spread_axes(Projection& projection, const Relation& relation, const std::vector<Direction>& directions);

}  // namespace dse::ir::partition
