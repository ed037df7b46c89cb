#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Devices that take part in one group of a collective: as its groups say, or all that its mode lets meet.
/// \pre communication is of an operation of this program
std::int64_t group_size(const Program& program, const Communication& communication);

}  // namespace dse::ir
