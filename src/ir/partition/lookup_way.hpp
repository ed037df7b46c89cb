#pragma once

#include <optional>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's partitioner computes a gather or a scatter: along the dimensions that table and rows share,
/// along the indexed dimensions of the table (each device looks up what it has), or along the indices. It
/// repeatedly takes the method that needs the least memory for one array (operands and result of the
/// operation, or of a collective), assuming that nothing else is partitioned.
/// \param layouts  of the relation's arrays
/// \param mesh  all axes of the mesh
/// \return nothing if there is no table with indices and rows
/// Source: XLA, spmd/gather_scatter_handler (facts: its methods, and how it orders them)
std::optional<Way> lookup_way(const Relation& relation, const Slots& slots,
                              const std::vector<const Layout*>& layouts, const Axes& mesh);

}  // namespace dse::ir::partition
