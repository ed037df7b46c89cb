#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dse/base/hash.hpp"
#include "dse/space/point.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// What defines a space, as keys and values: "axes.tp" → "1, 2, 4", "derive.dp" → "devices / tp",
/// "require.0", "search.method", … Two sweeps with equal lists have the same points under the same ids; where
/// lists differ, the entries say in what.
std::vector<std::pair<std::string, std::string>> identity(const Space& space);

/// 128 bits that name such a list.
Digest digest(const std::vector<std::pair<std::string, std::string>>& entries);

/// 128 bits that name a point by its values, whatever the order of the axes and of their labels: the key by
/// which files of different sweeps are merged.
Digest digest(const Space& space, const Point& point);

}  // namespace dse::space
