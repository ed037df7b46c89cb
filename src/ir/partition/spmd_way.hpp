#pragma once

#include <optional>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's partitioner (SPMD) computes an operation whose arrays have these layouts: it partitions JAX's
/// programs, after Shardy's propagation.
/// \param layouts  of the relation's arrays
/// \param mesh  all axes of the mesh
/// \return nothing if it is not known: the way with the fewest bytes is then taken (chosen_axes)
std::optional<Way> spmd_way(const Program& program, const Operation& operation, const Relation& relation,
                            const Slots& slots, const std::vector<const Layout*>& layouts, const Axes& mesh);

}  // namespace dse::ir::partition
