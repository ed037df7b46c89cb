#pragma once

#include <set>
#include <vector>

#include "dse/frontend/template/sharding.hpp"

namespace dse::frontend {

/// The forward tensors that backward kernels read, except parameters and inputs of the batch.
std::set<TensorId> read_by_backward(const Block& block);

/// Whether an operation's result takes its first operand's place in memory: it may (Operation::in_place), and
/// nothing else reads what a kernel of this block wrote there.
bool replaces_operand(const Block& block, const Operation& operation);

/// Flags of the forward operations that full recomputation repeats, by index: all, or only those that the
/// tensors read by backward kernels depend on.
std::vector<bool> recomputed_operations(const Block& block, const graph::SoftwareStack& stack);

/// The forward tensors of a block that are kept for its backward pass: those that backward kernels read,
/// without those that `stack.recompute` drops, but with the tensors from which these are recomputed.
std::set<TensorId> kept_tensors(const Block& block, const Sharding& sharding,
                                const graph::SoftwareStack& stack);

}  // namespace dse::frontend
