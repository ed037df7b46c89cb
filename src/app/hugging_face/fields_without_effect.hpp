#pragma once

#include <string_view>

namespace dse::app {

/// Whether a field of a config.json affects neither sizes nor work in any family: tokens, training
/// parameters, storage and scaling of weights, positions (RoPE rotates the same elements for any base), tasks
/// and generation.
bool is_without_effect(std::string_view field);

}  // namespace dse::app
