#pragma once

#include <optional>
#include <string>

#include "dse/ir/program/program_builder.hpp"
#include "instruction_draft.hpp"

namespace dse::ir::hlo {

/// Gives the draft of a `dot-start`, `dot-update` or `dot-done` the computation that XLA created for the
/// wrapped instruction but did not print. A start without all of its operands is recognized by its type: of
/// its parts (operands, results, context) the second is `()`. Updates provide the remaining operands; at the
/// done, the one that provided the last operands becomes the start of the whole instruction.
/// \param type  of the draft's result
/// \return why the wrapped instruction is invalid, if it is
std::optional<std::string> wrap(InstructionDraft& draft, TypeId type, ProgramBuilder& builder);

}  // namespace dse::ir::hlo
