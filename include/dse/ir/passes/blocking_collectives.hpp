#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Makes every collective run in sequence with the kernels, at its position and with no kernel beside it
/// (Operation::blocks), as for a compiler that overlaps nothing.
Program block_collectives(Program program);

}  // namespace dse::ir
