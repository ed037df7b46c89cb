#pragma once

#include <string_view>

#include "dse/ir/program/opcode.hpp"
#include "ir/program/operation_fault.hpp"
#include "ir/readers/mlir/meaning.hpp"

namespace dse::ir::mlir {

/// What an operation's name determines.
struct KnownOperation {
    Opcode opcode{Opcode::unknown};
    Extractor* extract{nullptr};  ///< nullptr: nothing in its text affects its meaning or cost
    Repetition repetition{Repetition::none};
};

/// For "stablehlo.dot_general", "mhlo.dot_general", "chlo.erf", "sdy.reshard", "func.call", "return" etc.;
/// for all other names Opcode::unknown, with the attribute of custom calls.
KnownOperation known_operation(std::string_view name);

}  // namespace dse::ir::mlir
