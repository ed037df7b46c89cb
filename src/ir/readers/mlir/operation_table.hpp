#pragma once

#include <string_view>

#include "dse/ir/program/opcode.hpp"
#include "ir/program/operation_fault.hpp"
#include "ir/readers/mlir/meaning.hpp"

namespace dse::ir::mlir {

/// What is known of an operation by its name.
struct KnownOperation {
    Opcode opcode{Opcode::unknown};
    Extractor* extract{nullptr};  ///< nullptr: its text holds nothing that its meaning or cost needs
    Repetition repetition{Repetition::none};
};

/// Of "stablehlo.dot_general", "mhlo.dot_general", "chlo.erf", "sdy.reshard", "func.call", "return" and the
/// like; of all others Opcode::unknown with what custom calls keep.
KnownOperation known_operation(std::string_view name);

}  // namespace dse::ir::mlir
