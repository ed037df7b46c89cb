#pragma once

#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

struct SplitConstants {
    Program program;
    /// By value: for a copy, the first copy of the same constant (itself, for the first one); else nothing.
    std::vector<std::optional<ValueId>> origins;
};

/// The program with a separate copy of each constant array for each operand that reads it. This applies to
/// values computed from constants only, with any number of operations, and to repeated numbers. A value with
/// two readers relates their layouts, which must not happen through values that every device can compute by
/// itself. Copies keep name and line, and are placed where the original was.
/// Source: Shardy, pass constant-or-scalar-splitter
SplitConstants split_constants(const Program& program);

}  // namespace dse::ir::partition
