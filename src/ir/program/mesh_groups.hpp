#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/ir/program/device_groups.hpp"
#include "dse/ir/program/sharding.hpp"

namespace dse::ir {

/// The groups of devices that differ in their coordinates on these axes of a mesh and on no others; members
/// in row-major order of the axes as listed, groups in that of the rest. No axes: groups of one.
/// \pre the axes belong to the mesh, their factors divide the axis' sizes and do not overlap
/// Source: Shardy, "axis refs and sub-axes"; a sub-axis `"x":(pre)size` is a factor of x, row-major
DeviceGroups groups_along(const DeviceMesh& mesh, std::span<const AxisRef> axes);

/// Listed groups in their most compact form: as an iota where they are runs of consecutive devices, or one
/// device of each of equal runs.
DeviceGroups regular_groups(std::vector<std::vector<std::int64_t>> groups);

}  // namespace dse::ir
