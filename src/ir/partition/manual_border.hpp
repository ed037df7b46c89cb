#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ir/partition/axes.hpp"
#include "ir/partition/factor_rule.hpp"

namespace dse::ir::partition {

/// What crosses the border of a manual computation: outside an array, inside the part of it along the axes by
/// hand (a dimension's axes by hand come before its others). Other axes may cut both.
/// Source: Shardy, "ManualComputationOp"

/// Of each dimension the axes by hand.
/// \param rank  of the array \throws ProgramError of the line where the sharding is one of another rank
Layout by_hand(const Sharding& sharding, const std::vector<AxisRef>& manual, std::size_t rank,
               std::uint32_t line);

/// How the part inside is stated to lie: the sharding without the axes by hand.
Sharding inside(Sharding sharding, const std::vector<AxisRef>& manual);

/// The rule of the border inwards: of each dimension outside a factor that is cut by hand, and one that is
/// the dimension inside. Nothing where the sizes are not those of the parts.
std::optional<FactorRule> border_rule(const Type& outside, const Type& inside, const Layout& by_hand);

/// The layout outside of what lies so inside.
Layout outside(Layout by_hand, const Layout& inside);

}  // namespace dse::ir::partition
