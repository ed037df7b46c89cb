#pragma once

#include <vector>

#include "dse/frontend/template/block.hpp"

/// The shared expert of a mixture: what every token goes through beside the experts that it chooses.
namespace dse::frontend {

/// Whether an operation makes what is added to the experts' combined results from the tokens that are sent to
/// them, or adds it.
bool is_in_shared_expert(const Operation& operation, const Block& block);

/// Whether an operation of any of the blocks is.
bool have_shared_expert(const std::vector<Block>& blocks);

}  // namespace dse::frontend
