#pragma once

#include <optional>
#include <string>

#include "dse/ir/program/program_builder.hpp"
#include "instruction_draft.hpp"

namespace dse::ir::hlo {

/// Gives the draft of a `dot-start`, `dot-update` or `dot-done` the computation that XLA made of the wrapped
/// instruction and did not print. A start whose operands are not all there says so: of its parts, operands,
/// results and context, the second is `()`. Updates bring the others, and at the done the one that brought
/// the last becomes the start of it all.
/// \param type  of the draft's result
/// \return why the wrapped instruction makes no sense
std::optional<std::string> wrap(InstructionDraft& draft, TypeId type, ProgramBuilder& builder);

}  // namespace dse::ir::hlo
