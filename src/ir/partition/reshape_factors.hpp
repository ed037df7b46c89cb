#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// The factors of a reshape: for f32[8,6] → f32[2,4,6] they are 2, 4, 6, and the operand's first dimension is
/// a product of two. If dimensions cannot be divided in this way (6, 4 → 8, 3), their common beginning (2) is
/// a factor of both sides, and the rest (3, 4 and 4, 3) becomes unpartitioned factors of one side each, until
/// both sides have the same number of elements again. Source: Shardy, rules of reshape (compound factors)
FactorRule reshape_rule(const Sizes& from, const Sizes& to);
std::optional<FactorRule> reshape_rule(const Subject& subject);

}  // namespace dse::ir::partition
