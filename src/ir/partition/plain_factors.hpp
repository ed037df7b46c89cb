#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// Every dimension of the result is a factor that all arrays of its rank share.
std::optional<FactorRule> elementwise_rule(const Subject& subject);

/// For values computed without operands or from scalars: each device computes its part.
std::optional<FactorRule> made_rule(const Subject& subject);

/// For random numbers: the state is replicated before and after. Nothing for forms other than (state) to
/// (state, numbers).
std::optional<FactorRule> generator_rule(const Subject& subject);

/// For the number of a device, which differs between devices.
std::optional<FactorRule> device_number_rule(const Subject& subject);

}  // namespace dse::ir::partition
