#include "dse/config/require_kind.hpp"

#include <fmt/format.h>

namespace dse::config {

bool require_kind(const Node& node, Node::Kind kind, std::string_view wanted, Diagnostics& diagnostics) {
    if (node.kind() == kind) return true;
    diagnostics.error(node.location(), node.path(),
                      fmt::format("expected {1}, found {0}", node.describe(), wanted));
    return false;
}

}  // namespace dse::config
