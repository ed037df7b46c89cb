#pragma once

#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "ir/partition/axes.hpp"
#include "ir/partition/slots.hpp"

namespace dse::ir::partition {

/// The layout of a slot, and what may be added to it.
// Moving a small_vector of bool counts as throwing, although nothing is allocated.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct SlotLayout {
    Layout dimensions;
    /// By dimension: propagation may append axes.
    boost::container::small_vector<bool, 8> open;
    Axes replicated;     ///< axes that it may not use
    bool stated{false};  ///< stated in the text
    /// By dimension, the user's priority (Shardy's p1, p2, …; 0 if not stated); empty: all 0.
    std::vector<std::int32_t> priorities{};
};

/// Layouts stated by the program: of arguments, constrained values, borders of manual computations and
/// results of the entry; all other slots are completely open. A constraint without open dimensions also
/// applies to the constrained value itself, unless the program states another layout for it or several
/// different constraints.
/// \throws ProgramError if a sharding does not fit its array or is of a kind that is not partitioned
/// Source: Shardy, pass apply-sharding-constraints
std::vector<SlotLayout> layouts_before(const Program& program, const Slots& slots);

/// The layout that a tiled sharding gives an array; for other shardings one without axes.
/// \param line  where it is stated
/// \throws ProgramError as layouts_before
Layout stated_layout(const Type& type, const Sharding& sharding, std::uint32_t line);

/// The layouts that a stated sharding gives the leaves of a value; empty if it states none.
/// \param line  where it is stated
/// \throws ProgramError as layouts_before
std::vector<Layout> stated_layouts(const Program& program, ShardingId sharding, const Slots& slots,
                                   ValueId value, std::uint32_t line);

/// \throws ProgramError naming the line if a sharding has dimensions, but not `rank` of them
void require_rank(const Sharding& sharding, std::size_t rank, std::uint32_t line);

/// Whether a custom call only states a layout: GSPMD's sharding constraint, Shardy's for a result.
bool is_sharding_call(const Program& program, const Operation& operation);

/// Whether a custom call converts arrays to the parts of one device or back: GSPMD's borders of code that is
/// written per device (shard_map).
bool is_border_call(const Program& program, const Operation& operation);

/// Whether it is the border on the way in: its result is a device's part. \pre is_border_call
bool leads_inside(const Program& program, const Operation& operation);

}  // namespace dse::ir::partition
