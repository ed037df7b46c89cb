#pragma once

#include <span>
#include <vector>

#include "dse/frontend/template/block.hpp"
#include "frontend/template/structure.hpp"

namespace dse::frontend {

/// Tells layers of a chunk apart that keep their activations in different ways: `recompute` may be for the
/// first `recompute_layers` of them only (Megatron-LM's block method, which counts by model chunk), and the
/// first `offload_layers` may keep what they keep in the host's memory. \param blocks  the distinct ones of a
/// model; gets a copy for each other way that its layers are kept \param stages  units of every pipeline
/// stage; their blocks become those copies where they are
void apply_layer_policies(const graph::SoftwareStack& stack, std::vector<Block>& blocks,
                          std::vector<StageUnits>& stages);

}  // namespace dse::frontend
