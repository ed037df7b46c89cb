#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dse/graph/mesh.hpp"

namespace dse::model {

/// A mesh of devices, and axes of it.
struct GroupMesh {
    graph::Mesh mesh;
    graph::AxisSet axes;
};

/// A mesh of all devices in which these ranks are one of the groups over some axes. Network models then see
/// all such groups: the same pattern repeated over the devices. \param members  ranks below `devices`,
/// distinct, in any order \returns nothing if there is no such mesh: the distances between members do not
///          form a pattern of at most two levels ({0, 1, 4, 5} does), or the pattern does not tile the
///          devices
std::optional<GroupMesh> group_mesh(std::span<const std::int64_t> members, std::int64_t devices);

/// A mesh on which every device is a pipeline stage of its own: ranks are stages.
graph::Mesh line_mesh(std::int64_t devices);

}  // namespace dse::model
