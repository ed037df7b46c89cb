#pragma once

#include <optional>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's SPMD partitioner, which partitions JAX's programs after Shardy's propagation, computes an
/// operation whose arrays have these layouts.
/// \param layouts  of the relation's arrays
/// \param mesh  all axes of the mesh
/// \return nothing if that is not known: the way that sends the fewest bytes is then used (chosen_axes)
std::optional<Way> spmd_way(const Program& program, const Operation& operation, const Relation& relation,
                            const Slots& slots, const std::vector<const Layout*>& layouts, const Axes& mesh);

}  // namespace dse::ir::partition
