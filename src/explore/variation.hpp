#pragma once

#include "explore/knowledge.hpp"

namespace dse::explore {

/// A child of two points: each axis from one of them, then mutated on some axes (by a distance if values are
/// ordered, where short ones are more likely; else to any value).
/// \return nothing if no try gives a new point
std::optional<Genome> claim_child(Knowledge& knowledge, const Genome& a, const Genome& b);

}  // namespace dse::explore
