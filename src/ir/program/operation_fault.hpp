#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Why something makes no sense; nothing: it does.
using Fault = std::optional<std::string>;

/// Whether an element-wise operator repeats operands that are smaller than its result, as CHLO's
/// `broadcast_add` does.
enum class Repetition : std::uint8_t { none, implicit };

/// An operation as a text states it, before it stands in a program.
struct StatedOperation {
    Opcode opcode{Opcode::unknown};
    std::span<const ValueId> operands;
    std::span<const TypeId> results;  ///< empty: not known yet
    std::span<const ComputationId> called;
    const Attribute& attribute;
    Repetition repetition{Repetition::none};
};

/// Why an operation makes no sense: too few operands or computations, dimensions or elements that its
/// operands do not have, a result that does not follow from them. What is costed, lowered and partitioned
/// relies on it. Sizes that a run decides, and types that nobody knows, agree with all.
Fault fault(const StatedOperation& operation, const Program& program);

/// Only how many operands and computations there are.
Fault count_fault(const StatedOperation& operation);

}  // namespace dse::ir
