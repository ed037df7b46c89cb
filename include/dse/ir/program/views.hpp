#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Whether an operation gives memory that is there another name: other sizes, another type of as many bits.
/// Of a framework's program (FX), whose arrays have strides, also a part or another order of the dimensions.
bool is_view(const Program& program, const Operation& operation);

}  // namespace dse::ir
