#pragma once

#include <span>
#include <string>

#include "dse/space/box.hpp"

namespace dse::space {

/// Whether boxes are disjoint and together all of another one, as they are that came of splitting it again
/// and again: a cut that goes through none of them parts them in two, and so on down to single boxes. \return
/// empty where they are, else what is wrong
std::string tiling_fault(const Box& whole, std::span<const Box> boxes);

}  // namespace dse::space
