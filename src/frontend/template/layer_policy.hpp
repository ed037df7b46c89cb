#pragma once

#include <span>
#include <vector>

#include "dse/frontend/template/block.hpp"
#include "frontend/template/structure.hpp"

namespace dse::frontend {

/// Whether layers of a chunk may differ in how they keep their activations.
[[nodiscard]] bool varies_by_layer(const graph::SoftwareStack& stack);

/// Separates layers of a chunk that keep their activations differently: `recompute` may apply only to the
/// first `recompute_layers` (Megatron-LM's block method, which counts per model chunk), and only the first
/// `offload_layers` may be offloaded to the host.
/// \param blocks  the distinct blocks of a model; a copy is added for each further policy
/// \param stages  units of each pipeline stage; layers with such a policy use these copies afterwards
void apply_layer_policies(const graph::SoftwareStack& stack, std::vector<Block>& blocks,
                          std::vector<StageUnits>& stages);

}  // namespace dse::frontend
