#pragma once

#include <optional>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's partitioner computes a gather or a scatter: along what table and rows share, along what the
/// table is indexed by (each device looks up what it has), or along the indices. Of these it takes, one after
/// the other, the one that needs the least memory for one array (operands and result of the operation, or of
/// a collective), if all the rest were whole.
/// \param layouts  of the relation's arrays \param mesh  all its axes
/// \return nothing where it has not a table, indices and rows
/// Source: XLA, spmd/gather_scatter_handler (facts: its methods, and how it orders them)
std::optional<Way> lookup_way(const Relation& relation, const Slots& slots,
                              const std::vector<const Layout*>& layouts, const Axes& mesh);

}  // namespace dse::ir::partition
