#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"
#include "ir/program/fused_attention.hpp"

namespace dse::ir::partition {

/// The factors of a fused attention, `([b, s, gr, d], [b, t, g, d], [b, t, g, d])->([b, s, gr, d])`. Batches
/// and heads are parallel, where the heads of queries are groups of r per key head. Queries are parallel in a
/// forward pass; in a backward pass they are not, since the gradients of the keys are sums over all queries.
/// Keys and the head size are not partitioned. Other operands and results have the factors of queries or keys
/// if they have their shape, those of scores without keys ([b, g, r, s], or [b, gr, s]) if they have that
/// shape, and else none. The order of heads and sequences in operands and results is determined by the call's
/// target or configuration. Nothing if the first three operands are not queries, keys and values, or for a
/// backward pass with gradients other than those of queries, keys and values.
std::optional<FactorRule> attention_rule(const Subject& subject, const FusedAttention& attention);

}  // namespace dse::ir::partition
