#pragma once

#include "dse/frontend/template/block.hpp"

namespace dse::frontend {

/// Marks parameters that matrix products read: eight- and four-bit recipes store them differently.
/// \param is_layer  whether another block follows: the head of a model is an exception in most recipes
void mark_weights(Block& block, const TemplateOptions& options, bool is_layer);

}  // namespace dse::frontend
