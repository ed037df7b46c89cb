#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Makes every collective run among the kernels, where it stands, with none beside it (Operation::blocks):
/// what a compiler does that overlaps nothing.
Program block_collectives(Program program);

}  // namespace dse::ir
