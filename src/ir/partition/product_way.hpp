#pragma once

#include <optional>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's partitioner computes a product or a convolution. It matches the layouts of the arrays for one
/// kind of dimension after another (those in all three arrays, those of an operand and the result, those that
/// are summed), each time with the remaining devices, before it moves anything to create a match.
/// \param layouts  of both operands and the result
/// \param mesh  all axes of the mesh
/// \return nothing if windows or groups of features are partitioned
/// Source: XLA, spmd/dot_handler (facts: the order of its cases and what each compares)
std::optional<Way> product_way(const Relation& relation, const Slots& slots,
                               const std::vector<const Layout*>& layouts, const Axes& mesh);

}  // namespace dse::ir::partition
