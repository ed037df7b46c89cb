#pragma once

#include <optional>
#include <span>
#include <string>

#include "dse/ir/program.hpp"

namespace dse::ir {

/// An operation as a text states it, before it stands in a program.
struct StatedOperation {
    Opcode opcode{Opcode::unknown};
    std::span<const ValueId> operands;
    std::span<const TypeId> results;  ///< empty: not known yet
    std::span<const ComputationId> called;
    const Attribute& attribute;
};

/// Why an operation makes no sense: too few operands or computations, dimensions or elements that its
/// operands do not have; nothing where it does. What is costed, lowered and partitioned relies on it.
std::optional<std::string> fault(const StatedOperation& operation, const Program& program);

/// Only how many operands and computations there are.
std::optional<std::string> count_fault(const StatedOperation& operation);

}  // namespace dse::ir
