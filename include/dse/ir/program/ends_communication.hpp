#pragma once

#include "dse/ir/program/opcode.hpp"

namespace dse::ir {

/// Whether it ends a communication that another operation began, and what reads it waits for that.
bool ends_communication(Opcode opcode);

}  // namespace dse::ir
