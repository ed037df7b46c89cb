#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Spreads what a loop communicates over its iterations, so that it need not wait inside of one:
///
/// A collective whose operands are known an iteration ahead (they follow from values that the loop does not
/// change and from its counters by operations that only move, convert or combine elements: the gather of a
/// layer's weights) is issued in the iteration before, where it stands; what its iteration reads is carried
/// from there. The first one is issued in front of the loop, and the last iteration is written out behind it.
///
/// A collective that is only read by the update of a carried array, through operations that move or convert
/// (the reduction of a layer's gradients into the stack of all layers'), leaves its result to the next
/// iteration, which updates the array where this one would have. The first iteration is written out in front
/// of the loop, the last update behind it.
///
/// Loops whose trip count is not known, or no larger than what would be written out, stay as they are; so do
/// collectives in start and done, which a compiler has placed. The same work is done with the same operands,
/// but for scalars and constants; loops of HLO carry values in the place of one tuple. The price is memory:
/// what is carried is there twice.
/// Source: XLA, transform CollectivePipeliner
Program pipeline_collectives(const Program& program);

}  // namespace dse::ir
