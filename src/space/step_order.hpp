#pragma once

#include <cstddef>
#include <vector>

#include "dse/space/space.hpp"

namespace dse::space {

/// The steps of a space in the order in which a point is checked (see Space::steps).
/// \param derived_order  all derived values, each after its dependencies
std::vector<Step> order_steps(const Space& space, const std::vector<std::size_t>& derived_order);

}  // namespace dse::space
