#pragma once

#include "dse/graph/compiler_passes.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// The per-device program of a sharded program; a partitioned program is returned unchanged.
/// \throws ModelError like ir::partitioned
ir::Program for_one_device(ir::Program program);

/// Prepares a per-device program for lowering: inlines its calls, then runs the passes in the order of
/// program_passes().
/// \throws ProgramError like ir::inline_calls
ir::Program with_passes(const ir::Program& program, const graph::CompilerPasses& passes);

}  // namespace dse::frontend
