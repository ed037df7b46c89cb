#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// Every dimension of the result is a factor that all arrays of its rank share.
std::optional<FactorRule> elementwise_rule(const Subject& subject);

/// What is made of nothing, or of scalars: each device makes its part.
std::optional<FactorRule> made_rule(const Subject& subject);

/// Random numbers: the state, before and after, lies whole on every device. Nothing for other forms than
/// (state) to (state, numbers).
std::optional<FactorRule> generator_rule(const Subject& subject);

/// The number of a device, which is another on each.
std::optional<FactorRule> device_number_rule(const Subject& subject);

}  // namespace dse::ir::partition
