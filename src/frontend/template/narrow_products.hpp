#pragma once

#include "dse/frontend/template/block.hpp"

/// Which operations run in eight or four bits, and which tensors are rows of experts.
namespace dse::frontend {

/// Whether an operation is a matrix product with a parameter of this storage.
bool multiplies(const Operation& operation, const Block& block, Storage storage);

/// Whether an operation is a matrix product with a parameter that runs in eight or four bits.
bool is_narrow(const Operation& operation, const Block& block, const graph::SoftwareStack& stack);

/// Whether operands are cast to fp8 with scales per block.
bool casts_blocks_to_fp8(const graph::SoftwareStack& stack);

/// Whether a tensor is the result of a change of the folding, from where tokens are sent to their experts.
bool is_refolded(const Block& block, TensorId tensor);

/// By tensor: whether it holds rows of experts: it depends on tokens sent to them, which have not been sent
/// back.
std::vector<bool> rows_of_experts(const Block& block);

}  // namespace dse::frontend
