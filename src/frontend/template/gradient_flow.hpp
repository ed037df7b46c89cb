#pragma once

#include <vector>

#include "dse/frontend/template/block.hpp"

namespace dse::frontend {

/// Where gradients go in a block.
struct GradientFlow {
    /// By TensorId: whether a gradient of it is asked for: parameters, what enters the block, and whatever is
    /// computed from them.
    std::vector<bool> wanted;
    /// By TensorId: whether one arrives, from the block's output or from a loss.
    std::vector<bool> arrives;
    /// By operation: whether its backward pass runs.
    std::vector<bool> runs;
};

GradientFlow gradient_flow(const Block& block);

/// Reports what is computed or declared for nothing, and what no gradient reaches although it must have one.
void check_flow(const Block& block, const config::Location& where, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
