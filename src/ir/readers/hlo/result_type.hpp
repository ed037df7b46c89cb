#pragma once

#include <optional>
#include <span>

#include "instruction_draft.hpp"

namespace dse::ir::hlo {

/// The type of an instruction that does not state it, as people write them; nothing where it does not follow
/// from the operands and the computations alone. Programs print all types.
std::optional<TypeId> result_type(const InstructionDraft& draft, Program& program);

/// Why an instruction makes no sense: too few operands, dimensions that its operands do not have; nothing
/// where it does. What is costed relies on it. \param type  of its result
std::optional<std::string> fault(const InstructionDraft& draft, TypeId type, const Program& program);

}  // namespace dse::ir::hlo
