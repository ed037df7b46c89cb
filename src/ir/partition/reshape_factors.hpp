#pragma once

#include "ir/partition/factor_rule.hpp"

namespace dse::ir::partition {

/// The factors of a reshape: of f32[8,6] → f32[2,4,6] they are 2, 4, 6, the first dimension of the operand
/// being the product of two. A run of dimensions that cannot be split so (6, 4 → 8, 3) is one factor, in the
/// first dimension of each side, that must lie whole. Source: Shardy, rules of reshape (compound factors)
FactorRule reshape_rule(const Sizes& from, const Sizes& to);

}  // namespace dse::ir::partition
