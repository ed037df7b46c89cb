#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// Reads MLIR text: StableHLO, MHLO, CHLO and Shardy in pretty and generic form, with func, call, while,
/// case, if and all other operations with regions. Operations of other dialects are kept by name as
/// Opcode::unknown. Literals of any size are skipped.
///
/// Representation of MLIR in the common program:
/// - A function is a computation with its name; a region is one without a name. What is in a module outside
///   of all functions (`sdy.mesh`) is one more computation, which nothing calls.
/// - The entry is the function `main`, else the first public function with a body.
/// - `called` of a while loop: condition, body; of a conditional: its branches in order; of a call: the
///   function; of a composite: its decomposition. Computations called by a custom call are dropped: they are
///   not work of their own.
/// - `reduce(…) applies stablehlo.add` has a region with that operation and a nameless terminator, which is
///   not in the text.
/// - A custom call that only states a sharding is a sharding_constraint.
///
/// \throws InputError "name:line:column: reason" if the text is not MLIR, is truncated, uses undefined names,
///         contradicts its own types, or branches between blocks; or if it does not contain exactly one
///         module
Program read_mlir(const Source& source);

/// Reads a file with several modules, consecutive or separated by lines of `// -----`; the text of a part
/// outside of all modules is a module of its own.
/// \throws InputError as read_mlir, and if there is no module
std::vector<Program> read_mlir_modules(const Source& source);

}  // namespace dse::ir
