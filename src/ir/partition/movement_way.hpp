#pragma once

#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's partitioner computes operations that move elements, reduce them or do little work on each:
/// mostly in the layout of the result, reductions in that of the operand. Concatenations and sorts move the
/// axes of their dimension to another one that they divide; slices and pads exchange halos along partitioned
/// dimensions, which is the meaning of axes of a permutation factor here.
/// \param layouts  of the relation's arrays
/// \return nothing for other operations
/// Source: XLA, spmd/spmd_partitioner (facts: what each of its handlers moves)
std::optional<Way> movement_way(const Program& program, const Operation& operation, const Relation& relation,
                                const std::vector<const Layout*>& layouts);

}  // namespace dse::ir::partition
