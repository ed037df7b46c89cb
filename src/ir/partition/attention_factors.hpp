#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"
#include "ir/program/fused_attention.hpp"

namespace dse::ir::partition {

/// The factors of a fused attention, `([b, s, gr, d], [b, t, g, d], [b, t, g, d])->([b, s, gr, d])`: batches
/// and heads are parallel, heads of queries being groups of so many heads for each of the keys'; so are
/// queries of a forward pass, whereas the keys' gradients of a backward pass are sums over all queries. Keys
/// and the size of a head lie whole. Other operands and results lie as queries or keys do where they have
/// their shape, as scores without keys where they have theirs ([b, g, r, s], or [b, gr, s]), and else whole.
/// Heads and sequences stand in operands and results in the orders that the call's target or configuration
/// says. Nothing where the first three operands are no queries, keys and values, and of a backward pass that
/// has other gradients than those of queries, keys and values.
std::optional<FactorRule> attention_rule(const Subject& subject, const FusedAttention& attention);

}  // namespace dse::ir::partition
