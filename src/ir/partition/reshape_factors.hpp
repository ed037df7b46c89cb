#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// The factors of a reshape: of f32[8,6] → f32[2,4,6] they are 2, 4, 6, the first dimension of the operand
/// being the product of two. Where dimensions cannot be split so (6, 4 → 8, 3), what both have in common at
/// the beginning (2) is a factor of both, and the rest (3, 4 and 4, 3) lies whole, factors of one side each,
/// until both sides have equally many elements again. Source: Shardy, rules of reshape (compound factors)
FactorRule reshape_rule(const Sizes& from, const Sizes& to);
std::optional<FactorRule> reshape_rule(const Subject& subject);

}  // namespace dse::ir::partition
