#pragma once

#include "dse/ir/program/cost/operation_traffic.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// What a fused computation reads and writes as one kernel: what its users inside read of each parameter (a
/// slice its own size, a dynamic slice likewise; an array that is updated in place nothing; all others share
/// one reading, but for broadcasts and reshapes, which read each for itself) and constants of more than 8
/// elements; what its result holds, of an array that is updated in place the update alone.
/// Source: XLA, hlo_cost_analysis.cc, HandleFusion and FusionParameterReadBytes
Traffic fusion_traffic(const Program& program, const Operation& fusion);

}  // namespace dse::ir
