#pragma once

#include <vector>

#include "dse/ir/program/attributes.hpp"
#include "ir/partition/reshard.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// The steps from one layout to another as XLA's partitioner takes them, which looks at the numbers of parts
/// first: where they are equal, parts are permuted; where two dimensions swap them, they are exchanged; where
/// all of them grow or shrink, parts are sliced or gathered; devices that have another part than they are to
/// have permute them before or behind that. What nothing of this fits is gathered whole, but for dimensions
/// that stay in as many parts.
/// \param sizes  of the array \param partial  axes over which the parts are partial sums, which are added up
/// first Source: XLA, spmd/spmd_partitioner (facts: the order in which it tries ways to reshard)
std::vector<ReshardStep> spmd_reshard_steps(const Sizes& sizes, const Layout& from, const Layout& to,
                                            const Axes& partial = {}, Summing summing = Summing::whole);

}  // namespace dse::ir::partition
