#pragma once

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir::fx {

/// Reads Inductor's JSON artifacts that list what it runs: names, or objects with a name and the tensors that
/// it writes. Appends one computation, the program's entry, with operations without operands.
/// \throws InputError if it is not such a list
void read_schedule(const Source& source, Program& program);

}  // namespace dse::ir::fx
