#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// Which way an operation's layouts may spread.
enum class Direction : std::uint8_t { none = 0, forward = 1, backward = 2, both = 3 };

/// Spreads axes inside one relation, where every array that has the factor agrees and none needs the axes for
/// another factor. \param directions  by factor \return whether anything changed
/// Source: Shardy, "basic strategy"
bool spread_agreed(Projection& projection, const Relation& relation,
                   const std::vector<Direction>& directions);

/// The same, but where two factors of one array want an axis, one gets it: the factor that the array of most
/// elements brings; of element-wise operations then the one with more parts; then that of the first array,
/// the first factor. Source: Shardy, "aggressive strategy"
bool spread_disputed(Projection& projection, const Relation& relation,
                     const std::vector<Direction>& directions);

}  // namespace dse::ir::partition
