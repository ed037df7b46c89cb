#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dse/ir/device_groups.hpp"
#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// Devices that differ only in their places along `axes`: one group for each place along the others. The
/// members of a group in the order of the axes, major to minor.
DeviceGroups groups_along(const DeviceMesh& mesh, const Axes& axes);

/// Who sends its part to whom, where an array goes from one layout to another with equal parts: (source,
/// target), without those that keep theirs.
std::vector<std::pair<std::int64_t, std::int64_t>> permutation(const DeviceMesh& mesh, const Layout& from,
                                                               const Layout& to);

}  // namespace dse::ir::partition
