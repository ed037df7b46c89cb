#pragma once

#include "explore/knowledge.hpp"

namespace dse::explore {

/// A child of two points: each axis from one of them, then changed on some axes (to the next value or to any
/// where values are ordered, else to any). \return nothing when no try gives a point that is new
std::optional<Genome> claim_child(Knowledge& knowledge, const Genome& a, const Genome& b);

}  // namespace dse::explore
