#pragma once

#include <span>
#include <string>

#include "dse/space/box.hpp"

namespace dse::space {

/// Checks that boxes are disjoint and cover another box, for boxes that result from repeated splitting: some
/// cut passes through none of them and divides them in two, and so on down to single boxes.
/// \return empty if they are, else what is wrong
std::string tiling_fault(const Box& whole, std::span<const Box> boxes);

}  // namespace dse::space
