#pragma once

#include <optional>
#include <string_view>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// The rule of a custom call with a known target. Copies to and from the host and annotations keep elements
/// in their positions; fused attention has its own factors (attention_rule); the largest elements of each row
/// (topk) require whole rows. Nothing for other targets.
/// Source: Shardy, sharding rules of custom calls
std::optional<FactorRule> foreign_rule(const Subject& subject);

/// Whether a call keeps every element in its position.
bool keeps_places(std::string_view target);

}  // namespace dse::ir::partition
