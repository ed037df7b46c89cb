#pragma once

#include <vector>

#include "dse/ir/program/attributes.hpp"
#include "ir/partition/reshard.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// The steps that XLA's partitioner uses from one layout to another. It first compares the numbers of parts
/// per dimension: if they are equal, parts are permuted; if two dimensions exchange their numbers, an
/// all-to-all is used; if all of them grow or shrink, parts are sliced or gathered. Devices whose part is not
/// the wanted one permute parts before or after that. If nothing applies, everything is gathered except for
/// dimensions whose number of parts stays the same.
/// \param sizes  of the array
/// \param partial  axes over which the parts are partial sums, which are reduced first
/// Source: XLA, spmd/spmd_partitioner (facts: the order in which it tries ways to reshard)
std::vector<ReshardStep> spmd_reshard_steps(const Sizes& sizes, const Layout& from, const Layout& to,
                                            const Axes& partial = {}, Summing summing = Summing::whole);

}  // namespace dse::ir::partition
