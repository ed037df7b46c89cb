#pragma once

#include <optional>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's partitioner computes a product or a convolution. It matches what the arrays have in common one
/// kind of dimension after the other (those of all three arrays, those of an operand and the result, those
/// that are summed), each time with what is left of the devices, before it moves anything so that it matches.
/// \param layouts  of both operands and the result \param mesh  all its axes
/// \return nothing where windows are cut, or groups of features
/// Source: XLA, spmd/dot_handler (facts: the order of its cases and what each compares)
std::optional<Way> product_way(const Relation& relation, const Slots& slots,
                               const std::vector<const Layout*>& layouts, const Axes& mesh);

}  // namespace dse::ir::partition
