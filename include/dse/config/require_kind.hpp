#pragma once

#include <string_view>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"

namespace dse::config {

/// Whether a node is of a kind; another one is reported.
/// \param wanted  what should be there, "a map of tensors"
bool require_kind(const Node& node, Node::Kind kind, std::string_view wanted, Diagnostics& diagnostics);

}  // namespace dse::config
