#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace dse::space {

/// A topological order by dependencies, or a cycle that makes one impossible.
struct NeedOrder {
    std::vector<std::size_t> order;  ///< empty if there is a cycle
    std::vector<std::size_t> cycle;  ///< each needs the next, the last needs the first
};

/// \param needs  needs[i]: dependencies of i
/// The declared order is kept as far as the dependencies allow.
NeedOrder order_by_need(const std::vector<std::vector<std::size_t>>& needs);

}  // namespace dse::space
