#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

/// The operations of a computation in the order in which XLA passes them to Shardy: a depth-first post-order
/// that starts at the operations whose results are not read, in program order, and visits operands from first
/// to last. Outer values that an operation's regions read count as additional operands after its own.
/// Source: XLA, HloComputation::MakeInstructionPostOrder
std::vector<const Operation*> reading_order(const Program& program, ComputationId computation);

}  // namespace dse::ir::partition
