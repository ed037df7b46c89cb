#pragma once

#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

struct SplitConstants {
    Program program;
    /// By value: of a copy, the first one of the same constant (its own number, if it is that); else nothing.
    std::vector<std::optional<ValueId>> origins;
};

/// The program with an own copy of each constant array for each operand that reads it: of what is made of
/// constants alone, however many operations that takes, and of repeated numbers. One value that two others
/// read ties their layouts together; what every device can make for itself must not. Copies keep name and
/// line, and stand where the original stood.
/// Source: Shardy, pass constant-or-scalar-splitter
SplitConstants split_constants(const Program& program);

}  // namespace dse::ir::partition
