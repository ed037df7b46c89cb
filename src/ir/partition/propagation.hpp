#pragma once

#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {

/// Propagates layouts along the relations until nothing changes, as Shardy does by default. The user's
/// priorities are processed in order (p0, p1, …; dimensions without one have p0), each in five steps that
/// depend on the passages of the operations. Within a step, disputed axes are assigned by size (spread_axes)
/// without first propagating everything that is undisputed. The axes of a dimension's last factor need not
/// divide its size.
/// \param relations  in program order, which decides conflicts between layouts
/// Source: Shardy, "Sharding propagation" (hierarchy of strategies; of "basic", "aggressive" and "basic then
/// aggressive" the default is "aggressive")
void propagate(const std::vector<Relation>& relations, std::vector<SlotLayout>& layouts);

}  // namespace dse::ir::partition
