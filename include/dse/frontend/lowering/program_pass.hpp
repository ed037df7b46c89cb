#pragma once

#include "dse/base/factory_table.hpp"
#include "dse/graph/compiler_passes.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// A transformation of a per-device program with inlined calls, controlled by one field of the passes. If the
/// field selects nothing, the program is returned unchanged. FLOPs and dependencies are preserved.
using ProgramPass = ir::Program (*)(ir::Program, const graph::CompilerPasses&);

/// The pass of each field of `passes` that is a choice, by field name, in the order in which they run.
const FactoryTable<ProgramPass>& program_passes();

}  // namespace dse::frontend
