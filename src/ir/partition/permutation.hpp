#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// Transfers of parts if an array moves to another layout with parts of equal sizes: (source, target),
/// without devices that keep their part.
std::vector<std::pair<std::int64_t, std::int64_t>> permutation(const DeviceMesh& mesh, const Layout& from,
                                                               const Layout& to);

}  // namespace dse::ir::partition
