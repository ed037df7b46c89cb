#pragma once

#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's partitioner computes what moves elements, reduces them or does little to each: mostly where the
/// result lies, reductions where the operand does. Concatenations and sorts move the axes of their dimension
/// to another one that they divide; slices and paddings exchange halos along cut dimensions, which is what
/// axes of a factor of kind permutation mean here.
/// \param layouts  of the relation's arrays \return nothing of other operations
/// Source: XLA, spmd/spmd_partitioner (facts: what each of its handlers moves)
std::optional<Way> movement_way(const Program& program, const Operation& operation, const Relation& relation,
                                const std::vector<const Layout*>& layouts);

}  // namespace dse::ir::partition
