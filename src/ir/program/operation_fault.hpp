#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Why something is invalid; nothing if it is valid.
using Fault = std::optional<std::string>;

/// Whether an element-wise operator broadcasts operands that are smaller than its result, like CHLO's
/// `broadcast_add`.
enum class Repetition : std::uint8_t { none, implicit };

/// An operation as stated in a text, before it is part of a program.
struct StatedOperation {
    Opcode opcode{Opcode::unknown};
    std::span<const ValueId> operands;
    std::span<const TypeId> results;  ///< empty: not known yet
    std::span<const ComputationId> called;
    const Attribute& attribute;
    Repetition repetition{Repetition::none};
};

/// Why an operation is invalid: too few operands or computations, dimensions or elements that its operands do
/// not have, a result that does not follow from them. Cost analysis, lowering and partitioning rely on this
/// check. Dynamic sizes and unknown types match everything.
Fault fault(const StatedOperation& operation, const Program& program);

/// Checks only the numbers of operands and computations.
Fault count_fault(const StatedOperation& operation);

}  // namespace dse::ir
