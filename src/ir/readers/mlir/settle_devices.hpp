#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir::mlir {

/// Determines the number of devices from meshes and groups, if the module does not state it, and from
/// shardings whether shapes are those of one device.
void settle_devices(Program& program);

}  // namespace dse::ir::mlir
