#pragma once

#include "dse/ir/program.hpp"
#include "dse/workload/compiler_passes.hpp"

namespace dse::frontend {

/// A sharded program as one device runs it; one that is partitioned as it is.
/// \throws ModelError as ir::partitioned
ir::Program for_one_device(ir::Program program);

/// What is done to a per-device program before it is lowered.
/// \throws ModelError where a pass cannot be done
ir::Program with_passes(const ir::Program& program, const workload::CompilerPasses& passes);

}  // namespace dse::frontend
