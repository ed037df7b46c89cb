#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// Rows that indices name. Dimensions of the slices lie as in the result; those of the indices likewise; a
/// dimension of the operand that indices run over is a reduction: each device gives the rows it has, and
/// zeros for the others (an embedding whose vocabulary is sharded).
std::optional<FactorRule> gather_rule(const Subject& subject);

/// The same backwards: a dimension that indices run over is parallel (each device takes the updates of its
/// own rows), and those of the updates' indices are reductions.
std::optional<FactorRule> scatter_rule(const Subject& subject);

}  // namespace dse::ir::partition
