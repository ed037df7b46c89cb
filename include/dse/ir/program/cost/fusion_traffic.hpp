#pragma once

#include "dse/ir/program/cost/operation_traffic.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Memory traffic of a fused computation as one kernel. Reads: for each parameter, what its users inside
/// read, and constants of more than 8 elements. A slice or dynamic slice reads its own size, an array updated
/// in place is not read, broadcasts and reshapes read the parameter separately, and all other users share a
/// single read. Writes: the result, but only the update of an array that is updated in place.
/// Source: XLA, hlo_cost_analysis.cc, HandleFusion and FusionParameterReadBytes
Traffic fusion_traffic(const Program& program, const Operation& fusion);

}  // namespace dse::ir
