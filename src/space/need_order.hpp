#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace dse::space {

/// An order in which everything comes after what it needs, or a cycle that makes one impossible.
struct NeedOrder {
    std::vector<std::size_t> order;  ///< empty when there is a cycle
    std::vector<std::size_t> cycle;  ///< each needs the next, the last needs the first
};

/// \param needs  needs[i]: what i needs
/// The order is the declared one wherever the needs allow.
NeedOrder order_by_need(const std::vector<std::vector<std::size_t>>& needs);

}  // namespace dse::space
