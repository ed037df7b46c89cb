#pragma once

#include <optional>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

/// Whether a sharding cuts its array, or forbids that, by axes of its mesh.
bool names_axes(const Sharding& sharding);

/// The mesh that a program's shardings name: over_common_mesh() leaves one.
/// \throws ModelError where they name none
MeshId mesh_of(const Program& program);

/// A program whose shardings name several meshes, over one: a single axis of all devices, of which the axes
/// of each mesh are factors ({"a"=2, "b"=4} beside {"x"=8}: "a" is the first factor of it, "b" the rest).
/// \return nothing where all shardings are of one mesh already
/// \throws ModelError where the meshes are not of the same devices in the same order, or cut them in ways of
///         which neither refines the other (2 × 3 beside 3 × 2)
std::optional<Program> over_common_mesh(const Program& program);

}  // namespace dse::ir::partition
