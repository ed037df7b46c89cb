#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Number of devices in one group of a collective: as stated by its groups, or all devices that its mode lets
/// communicate.
/// \pre communication belongs to an operation of this program
std::int64_t group_size(const Program& program, const Communication& communication);

}  // namespace dse::ir
