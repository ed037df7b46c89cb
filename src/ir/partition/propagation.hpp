#pragma once

#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {

/// Spreads layouts along the relations until nothing changes, as Shardy does by default: what the user gave a
/// higher priority first (p0, p1, …; none stated is p0); for each priority, operations by their passage, in
/// five steps; in each step whatever spreads, disputed axes by size (spread_axes): nothing waits until all
/// that is undisputed has spread. Axes of a dimension's last factor need not divide its size.
/// \param relations  in the order of the program, which decides where two layouts meet
/// Source: Shardy, "Sharding propagation" (hierarchy of strategies; of "basic", "aggressive" and "basic then
/// aggressive" the default is "aggressive")
void propagate(const std::vector<Relation>& relations, std::vector<SlotLayout>& layouts);

}  // namespace dse::ir::partition
