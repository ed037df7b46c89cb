#pragma once

#include <optional>
#include <string_view>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// The rule of a custom call whose target is known: copies to and from the host and annotations keep elements
/// in their places; fused attention has its factors (attention_rule); the largest of each row (topk) are
/// found where the row is whole. Nothing for others. Source: Shardy, sharding rules of custom calls
std::optional<FactorRule> foreign_rule(const Subject& subject);

/// Whether a call keeps every element in its place.
bool keeps_places(std::string_view target);

}  // namespace dse::ir::partition
