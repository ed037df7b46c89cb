#pragma once

#include <optional>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's partitioner (SPMD) computes an operation whose arrays lie like this: JAX's programs are
/// partitioned by it, behind Shardy's propagation.
/// \param layouts  of the relation's arrays \param mesh  all its axes
/// \return nothing where it is not known: the way of the fewest bytes is taken then (chosen_axes)
std::optional<Way> spmd_way(const Program& program, const Operation& operation, const Relation& relation,
                            const Slots& slots, const std::vector<const Layout*>& layouts, const Axes& mesh);

}  // namespace dse::ir::partition
