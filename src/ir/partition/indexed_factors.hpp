#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// Rows selected by indices. Dimensions of the slices, and those of the indices, have the factors of the
/// result; a dimension of the operand that is indexed is a reduction: each device provides the rows it has,
/// and zeros for the others (an embedding with a sharded vocabulary).
std::optional<FactorRule> gather_rule(const Subject& subject);

/// The reverse: an indexed dimension is parallel (each device takes the updates of its own rows), and the
/// dimensions of the updates' indices are reductions.
std::optional<FactorRule> scatter_rule(const Subject& subject);

}  // namespace dse::ir::partition
