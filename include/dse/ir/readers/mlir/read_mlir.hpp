#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// Reads MLIR's text: StableHLO, MHLO, CHLO and Shardy in pretty and generic form, with func, call, while,
/// case, if and everything else that has regions; operations of other dialects are kept by name as
/// Opcode::unknown. Literals are passed over, whatever their size.
///
/// How MLIR is said in the common program:
/// - A function is a computation of its name; a region is one without. What stands in a module outside all
///   functions (`sdy.mesh`) is one more computation, which nothing calls.
/// - The entry is the function `main`; else the first public function with a body.
/// - `called` of a while loop: condition, body; of a conditional: its branches in order; of a call: the
///   function; of a composite: its decomposition. What a custom call calls is left out: it is no work of its
///   own.
/// - `reduce(…) applies stablehlo.add` has a region with that operation, and a terminator without a name, as
///   it is not in the text.
/// - A custom call that only states a sharding is a sharding_constraint.
///
/// \throws InputError "name:line:column: reason" where the text is not MLIR, is cut off, uses what it does
/// not define, contradicts its own types, branches between blocks; or where it holds no module or several
Program read_mlir(const Source& source);

/// A file that holds several modules, one behind the other, or split by lines of `// -----`; what a part says
/// outside of all modules is one of its own. \throws InputError as read_mlir; where there is none
std::vector<Program> read_mlir_modules(const Source& source);

}  // namespace dse::ir
