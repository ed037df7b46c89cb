#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Spreads the communication of a loop over its iterations, so that no iteration has to wait for its own.
///
/// A collective whose operands are known one iteration ahead is issued in the previous iteration, at the same
/// position, and its result is carried over. (This holds if they follow from the loop's counters and from
/// values that the loop does not change, through operations that only move, convert or combine elements: the
/// gather of a layer's weights.) The first one is issued before the loop, and the last iteration is peeled
/// off after it.
///
/// A collective whose result is only read by the update of a carried array, through operations that move or
/// convert (the reduction of a layer's gradients into the stack of all layers' gradients), passes its result
/// to the next iteration, which updates the array at the same position. The first iteration is peeled off
/// before the loop, the last update is done after it.
///
/// Loops stay as they are if their trip count is unknown or does not exceed the number of peeled iterations,
/// and so do collectives split into start and done, which a compiler has placed. The same operations are
/// executed with the same operands, except for scalars and constants; loops of HLO carry values instead of a
/// tuple. The price is memory: carried values exist twice.
/// Source: XLA, transform CollectivePipeliner
Program pipeline_collectives(const Program& program);

}  // namespace dse::ir
