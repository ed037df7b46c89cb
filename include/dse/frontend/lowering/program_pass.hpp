#pragma once

#include "dse/base/factory_table.hpp"
#include "dse/graph/compiler_passes.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// What is done to a per-device program whose calls are in their place, as its field says; a program to which
/// the field does nothing comes back as it is. FLOPs and what depends on what stay.
using ProgramPass = ir::Program (*)(ir::Program, const graph::CompilerPasses&);

/// Every field of `passes` that is a choice, by its name, in the order in which they are done.
const FactoryTable<ProgramPass>& program_passes();

}  // namespace dse::frontend
