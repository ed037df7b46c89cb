#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dse/base/hash.hpp"
#include "dse/space/point.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// The definition of a space as keys and values: "axes.tp" → "1, 2, 4", "derive.dp" → "devices / tp",
/// "require.0", "search.method", … Sweeps with equal lists have the same points with the same ids;
/// differences between lists tell what changed.
std::vector<std::pair<std::string, std::string>> identity(const Space& space);

/// Digest of such a list.
Digest digest(const std::vector<std::pair<std::string, std::string>>& entries);

/// Digest of a point's values, independent of the order of axes and labels: the key by which files of
/// different sweeps are merged.
Digest digest(const Space& space, const Point& point);

}  // namespace dse::space
