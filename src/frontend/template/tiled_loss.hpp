#pragma once

#include "dse/frontend/template/block.hpp"

namespace dse::frontend {

/// Marks the operations of a block's losses that run tile by tile, and the tensors of which one tile is in
/// memory at a time: the logits, what they are computed from that has the vocabulary as its last dimension,
/// and what the loss saves of that shape.
/// \param tiles  SoftwareStack::loss_tiles, >= 1
void tile_losses(Block& block, std::int64_t tiles);

}  // namespace dse::frontend
