#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// Who sends its part to whom, where an array goes from one layout to another with equal parts: (source,
/// target), without those that keep theirs.
std::vector<std::pair<std::int64_t, std::int64_t>> permutation(const DeviceMesh& mesh, const Layout& from,
                                                               const Layout& to);

}  // namespace dse::ir::partition
