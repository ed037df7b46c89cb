#pragma once

#include <span>
#include <vector>

#include "dse/frontend/template/block.hpp"
#include "dse/graph/pipeline.hpp"
#include "frontend/template/structure.hpp"

namespace dse::frontend {

/// Whether layers may differ in how they keep their activations, or in the precision of their products.
[[nodiscard]] bool varies_by_layer(const graph::SoftwareStack& stack);

/// The stack with which layers are built whose products run in 16 bits.
[[nodiscard]] graph::SoftwareStack of_wide_layers(graph::SoftwareStack stack);

/// Separates layers that differ. `recompute` may apply only to the first `recompute_layers` of a chunk
/// (Megatron-LM's block method, which counts per model chunk), only the first `offload_layers` of a chunk may
/// be offloaded to the host, and the first `bf16_first_layers` and last `bf16_last_layers` of the model may
/// run in 16 bits.
/// \param blocks     the distinct blocks of a model; one is added for each further policy
/// \param wide       the same blocks, built with of_wide_layers(); empty if there are no such layers
/// \param placement  of the model's pieces on the chunks of `stages`
/// \param stages     units of each pipeline stage; layers with such a policy use the added blocks afterwards
void apply_layer_policies(const graph::SoftwareStack& stack, std::vector<Block>& blocks,
                          std::span<const Block> wide, graph::Placement placement,
                          std::vector<StageUnits>& stages);

}  // namespace dse::frontend
