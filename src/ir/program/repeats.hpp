#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Marks operations that the program's author recomputes in the backward pass (Operation::repeats), if their
/// names show it: JAX puts `rematted_computation` into the names of what jax.checkpoint recomputes.
void mark_repeats(Program& program);

}  // namespace dse::ir
