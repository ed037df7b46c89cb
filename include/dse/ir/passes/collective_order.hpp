#pragma once

#include <cstdint>
#include <limits>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

inline constexpr std::int64_t as_many_as_there_are = std::numeric_limits<std::int64_t>::max();

/// Moves every collective, and the start of every asynchronous one, to where its operands are ready, together
/// with the casts, slices and views that it reads. It does not move further than to the original position of
/// the collective that is `ahead` collectives before it (1: a layer's gather is issued where the previous
/// layer's was). Collectives that can move to the same position keep their order.
///
/// Operations that depend on a collective and only compute results of the computation, element by element
/// (such as an optimizer after the reduction of a gradient), move to after the operations that precede the
/// collective `ahead` collectives later. Other operations that wait for a collective (a done, a wait) stay
/// where they are. The order of everything else, and all dependencies, are unchanged.
///
/// Gathered values and operands of reductions live longer: the price is memory.
Program reorder_collectives(const Program& program, std::int64_t ahead);

}  // namespace dse::ir
