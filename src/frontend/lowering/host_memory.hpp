#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// Whether an operation moves data between device and host memory: a copy, slice or update with one side in
/// host_memory_space, or a custom call for this purpose.
bool crosses_to_host(const ir::Program& program, const ir::Operation& operation);

}  // namespace dse::frontend
