#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir::mlir {

/// Where the module does not say how many devices run it, its meshes and groups do; and whether its shapes
/// are those of one device, its shardings.
void settle_devices(Program& program);

}  // namespace dse::ir::mlir
