#pragma once

#include "dse/ir/program.hpp"

namespace dse::ir {

/// Bytes that a fused computation reads and writes: what its users inside read of each parameter (a slice
/// its own size, a dynamic slice likewise; an array that is updated in place nothing; all others share one
/// reading, but for broadcasts and reshapes, which read each for itself), what its result holds (of an
/// array that is updated in place the update alone), and constants of more than 8 elements.
/// Source: XLA, hlo_cost_analysis.cc, HandleFusion and FusionParameterReadBytes
double fusion_bytes(const Program& program, const Operation& fusion);

}  // namespace dse::ir
