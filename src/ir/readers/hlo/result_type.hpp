#pragma once

#include <optional>
#include <span>

#include "instruction_draft.hpp"

namespace dse::ir::hlo {

/// Infers the type of an instruction that does not state it, as in hand-written text (programs print all
/// types); nothing if it does not follow from the operands and the computations alone.
std::optional<TypeId> result_type(const InstructionDraft& draft, Program& program);

/// Why an instruction is invalid: too few operands, dimensions that its operands do not have; nothing if it
/// is valid. Cost analysis relies on this check.
/// \param type  of its result
std::optional<std::string> fault(const InstructionDraft& draft, TypeId type, const Program& program);

}  // namespace dse::ir::hlo
