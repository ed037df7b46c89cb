#pragma once

#include <cstdint>
#include <limits>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

inline constexpr std::int64_t as_many_as_there_are = std::numeric_limits<std::int64_t>::max();

/// Moves every collective, and the start of every asynchronous one, to where its operands are there, with the
/// casts, slices and views that it reads; but no further than to where the collective stood that is
/// `ahead` collectives before it (1: a layer's gather is issued where the one of the layer before was). Those
/// that are free to go to the same place keep their order.
///
/// What follows from a collective and only makes results of the computation, element by element (an optimizer
/// behind the reduction of a gradient), goes behind what stood before the collective that is `ahead` behind
/// that one. What else waits for a collective (a done, a wait) stays where it is. The order of everything
/// else, and what depends on what, do not change.
///
/// What is gathered early is held longer, as is what is reduced: the price is memory.
Program reorder_collectives(const Program& program, std::int64_t ahead);

}  // namespace dse::ir
