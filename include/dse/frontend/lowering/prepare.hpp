#pragma once

#include "dse/graph/compiler_passes.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// A sharded program as one device runs it; one that is partitioned as it is.
/// \throws ModelError as ir::partitioned
ir::Program for_one_device(ir::Program program);

/// What is done to a per-device program before it is lowered: calls are put in their place, then come the
/// passes in the order of program_passes().
/// \throws ProgramError as ir::inline_calls
ir::Program with_passes(const ir::Program& program, const graph::CompilerPasses& passes);

}  // namespace dse::frontend
