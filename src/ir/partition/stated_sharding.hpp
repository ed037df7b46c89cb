#pragma once

#include <cstdint>
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
    /// By dimension, the user's (Shardy's p1, p2, …; 0 where none is stated); empty: all 0.
    std::vector<std::int32_t> priorities{};
};

/// What the program states: layouts of arguments, constrained values, borders of manual computations and
/// results of the entry; everything of the other slots is open. What is constrained without leaving anything
/// open lies so already where it is made, unless the program says otherwise of it, or constrains it in two
/// ways. \throws ProgramError where a sharding does not fit its array, or is of a kind that is not
/// partitioned Source: Shardy, pass apply-sharding-constraints
std::vector<SlotLayout> layouts_before(const Program& program, const Slots& slots);

/// The layout that a tiled sharding gives an array; others one without axes. \param line  where it is stated
/// \throws ProgramError as layouts_before
Layout stated_layout(const Type& type, const Sharding& sharding, std::uint32_t line);

/// Layouts that a stated sharding gives the leaves of a value; empty where it states none.
/// \param line  where it is stated \throws ProgramError as layouts_before
std::vector<Layout> stated_layouts(const Program& program, ShardingId sharding, const Slots& slots,
                                   ValueId value, std::uint32_t line);

/// \throws ProgramError of the line where a sharding states other than `rank` dimensions
void require_rank(const Sharding& sharding, std::size_t rank, std::uint32_t line);

/// A custom call that only says how its operand lies: GSPMD's sharding constraint, Shardy's of a result.
bool is_sharding_call(const Program& program, const Operation& operation);

/// A custom call where arrays become the parts that one device has of them, or parts arrays: GSPMD's borders
/// of what is written by hand for each device (shard_map).
bool is_border_call(const Program& program, const Operation& operation);

/// Whether it is the border on the way in: what it gives is a device's part. \pre is_border_call
bool leads_inside(const Program& program, const Operation& operation);

}  // namespace dse::ir::partition
