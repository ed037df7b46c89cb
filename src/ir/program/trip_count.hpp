#pragma once

#include <cstdint>
#include <optional>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// How often the body of a while loop runs, where its condition tells: it compares one carried integer with a
/// constant (or with a carried integer that the body leaves as it is), the integer begins at a constant and
/// the body adds a constant to it. Copies, conversions, statements of shardings, tuples, calls and fusions in
/// between are looked through. The integer is an element of the one tuple that HLO carries, or one of the
/// values that MLIR carries.
/// \param loop  while_loop; called: condition, body
std::optional<std::int64_t> derived_trip_count(const Program& program, const Operation& loop);

/// Fills in the trip count of every while loop that states none and whose condition tells.
void derive_trip_counts(Program& program);

}  // namespace dse::ir
