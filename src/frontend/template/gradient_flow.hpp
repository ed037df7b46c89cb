#pragma once

#include <vector>

#include "dse/frontend/template/block.hpp"

namespace dse::frontend {

/// The flow of gradients through a block.
struct GradientFlow {
    /// By TensorId: whether its gradient is needed: parameters that are trained, the block's input, and
    /// everything computed from them.
    std::vector<bool> wanted;
    /// By TensorId: whether a gradient arrives, from the block's output or from a loss.
    std::vector<bool> arrives;
    /// By operation: whether its backward pass runs.
    std::vector<bool> runs;

    /// Whether the backward pass of operation `index` runs this one of its kernels.
    [[nodiscard]] bool runs_piece(std::size_t index, const Piece& piece) const;
};

GradientFlow gradient_flow(const Block& block);

/// Reports unused tensors, and tensors that need a gradient but receive none.
void check_flow(const Block& block, const config::Location& where, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
