#pragma once

#include <optional>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

/// Whether a sharding refers to axes of its mesh, to partition an array or to exclude them.
bool names_axes(const Sharding& sharding);

/// The mesh that a program's shardings refer to; after over_common_mesh() there is only one.
/// \throws ModelError if they refer to none
MeshId mesh_of(const Program& program);

/// Converts a program whose shardings refer to several meshes to a single one: one axis over all devices, of
/// which the axes of each mesh are factors ({"a"=2, "b"=4} beside {"x"=8}: "a" is its first factor, "b" the
/// rest).
/// \return nothing if all shardings refer to the same mesh already
/// \throws ModelError if the meshes do not have the same devices in the same order, or neither of two meshes
///         refines the other (2 × 3 beside 3 × 2)
std::optional<Program> over_common_mesh(const Program& program);

}  // namespace dse::ir::partition
