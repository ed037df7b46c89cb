#pragma once

#include <set>

#include "dse/frontend/template/sharding.hpp"

namespace dse::frontend {

/// The forward tensors of a block that stay for its backward pass: what the backward kernels read, less what
/// `stack.recompute` drops, with what dropped tensors are made from again.
std::set<TensorId> kept_tensors(const Block& block, const Sharding& sharding,
                                const workload::TrainingStack& stack);

}  // namespace dse::frontend
