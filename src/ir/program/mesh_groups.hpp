#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/ir/program/device_groups.hpp"
#include "dse/ir/program/sharding.hpp"

namespace dse::ir {

/// The groups of devices whose coordinates differ only along these axes of a mesh. Members are in row-major
/// order of the axes as listed, groups in that of the other axes. Without axes: groups of one.
/// \pre the axes belong to the mesh, their factors divide the axis' sizes and do not overlap
/// Source: Shardy, "axis refs and sub-axes"; a sub-axis `"x":(pre)size` is a factor of x, row-major
DeviceGroups groups_along(const DeviceMesh& mesh, std::span<const AxisRef> axes);

/// The most compact form of listed groups: an iota if they are runs of consecutive devices, or contain one
/// device of each of several equal runs.
DeviceGroups regular_groups(std::vector<std::vector<std::int64_t>> groups);

}  // namespace dse::ir
