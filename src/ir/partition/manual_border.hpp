#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ir/partition/axes.hpp"
#include "ir/partition/factor_rule.hpp"

namespace dse::ir::partition {

/// The border of a manual computation. Outside there is the whole array, inside its part along the manual
/// axes, which come before a dimension's other axes. Other axes may partition both.
/// Source: Shardy, "ManualComputationOp"

/// The manual axes of each dimension.
/// \param rank  of the array
/// \throws ProgramError naming the line if the sharding has a different rank
Layout by_hand(const Sharding& sharding, const std::vector<AxisRef>& manual, std::size_t rank,
               std::uint32_t line);

/// The sharding stated for the part inside: without the manual axes.
Sharding inside(Sharding sharding, const std::vector<AxisRef>& manual);

/// The rule between both sides of the border: each outside dimension is the product of a factor for the
/// manual axes and one that is the inside dimension. Nothing if the inside sizes are not those of the parts.
std::optional<FactorRule> border_rule(const Type& outside, const Type& inside, const Layout& by_hand);

/// The layout outside that corresponds to a layout inside.
Layout outside(Layout by_hand, const Layout& inside);

}  // namespace dse::ir::partition
