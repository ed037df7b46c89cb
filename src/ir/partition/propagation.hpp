#pragma once

#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {

/// Propagates layouts along the relations until nothing changes, as Shardy does by default: by the user's
/// priorities (p0, p1, …; unstated ones are p0); for each priority in five steps, by the passage of
/// operations; in each step everything that propagates, with disputed axes assigned by size (spread_axes),
/// without waiting until all that is undisputed has propagated. Axes of a dimension's last factor need not
/// divide its size.
/// \param relations  in program order, which decides conflicts between layouts
/// Source: Shardy, "Sharding propagation" (hierarchy of strategies; of "basic", "aggressive" and "basic then
/// aggressive" the default is "aggressive")
void propagate(const std::vector<Relation>& relations, std::vector<SlotLayout>& layouts);

}  // namespace dse::ir::partition
