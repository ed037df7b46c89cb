#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// Whether an operation moves data between the device's memory and the host's: a copy, slice or update with
/// one side in host_memory_space, or a custom call that says so.
bool crosses_to_host(const ir::Program& program, const ir::Operation& operation);

}  // namespace dse::frontend
