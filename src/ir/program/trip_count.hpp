#pragma once

#include <cstdint>
#include <optional>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Number of iterations of a while loop, if it follows from its condition. The condition must compare a
/// carried integer with a constant (or with a carried integer that the body does not change), whose initial
/// value is a constant and to which the body adds a constant. Copies, conversions, sharding constraints,
/// tuples, calls and fusions in between are looked through. The integer is an element of the tuple that HLO
/// carries, or one of the values that MLIR carries.
/// \param loop  while_loop; called: condition, body
std::optional<std::int64_t> derived_trip_count(const Program& program, const Operation& loop);

/// Sets the trip count of every while loop that states none, if it follows from its condition.
void derive_trip_counts(Program& program);

}  // namespace dse::ir
