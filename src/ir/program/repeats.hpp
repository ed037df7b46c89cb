#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Marks what the program's author has done again in the backward pass (Operation::repeats), where operations
/// have names that say so: JAX puts `rematted_computation` into those of what jax.checkpoint makes again.
void mark_repeats(Program& program);

}  // namespace dse::ir
