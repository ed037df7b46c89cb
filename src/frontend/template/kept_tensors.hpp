#pragma once

#include <set>
#include <vector>

#include "dse/frontend/template/sharding.hpp"

namespace dse::frontend {

/// The forward tensors that backward kernels read, parameters and the iteration's inputs aside.
std::set<TensorId> read_by_backward(const Block& block);

/// Which forward operations full recomputation runs again, by their place in the block: all, or those that
/// lead to what backward kernels read.
std::vector<bool> recomputed_operations(const Block& block, const graph::SoftwareStack& stack);

/// The forward tensors of a block that stay for its backward pass: what the backward kernels read, less what
/// `stack.recompute` drops, with what dropped tensors are made from again.
std::set<TensorId> kept_tensors(const Block& block, const Sharding& sharding,
                                const graph::SoftwareStack& stack);

}  // namespace dse::frontend
