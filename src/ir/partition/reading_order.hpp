#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

/// The operations of a computation in the order in which XLA hands them to Shardy: depth first from those
/// that nobody reads, in the order of the text, each behind its operands, the first operand first. Values
/// that its regions read from around them count as operands behind its own. Source: XLA,
/// HloComputation::MakeInstructionPostOrder
std::vector<const Operation*> reading_order(const Program& program, ComputationId computation);

}  // namespace dse::ir::partition
