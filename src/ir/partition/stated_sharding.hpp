#pragma once

#include <vector>

#include "ir/partition/axes.hpp"
#include "ir/partition/slots.hpp"

namespace dse::ir::partition {

/// How a slot lies, and what may still be added.
struct SlotLayout {
    Layout dimensions;
    std::vector<bool> open;  ///< by dimension: propagation may add axes behind those that are there
    Axes replicated;         ///< axes that it may not use
    bool stated{false};      ///< the text gives it
};

/// The mesh that the program's shardings name: all of them the same.
/// \throws ModelError where they name several, or none that has more than one device
MeshId mesh_of(const Program& program);

/// What the program states: layouts of arguments, constrained values, borders of manual computations and
/// results of the entry; everything of the other slots is open. \throws ModelError where a sharding does not
/// fit its array, or is of a kind that is not partitioned
std::vector<SlotLayout> layouts_before(const Program& program, const Slots& slots);

/// The layout that a tiled sharding means; of others one without axes.
Layout stated_layout(const Sharding& sharding);

/// Layouts that a stated sharding gives the leaves of a value; empty where it states none.
std::vector<Layout> stated_layouts(const Program& program, ShardingId sharding, const Slots& slots,
                                   ValueId value);

/// A custom call that only says how its operand lies: GSPMD's sharding constraint, Shardy's of a result.
bool is_sharding_call(const Program& program, const Operation& operation);

}  // namespace dse::ir::partition
