#pragma once

#include "dse/base/units.hpp"
#include "dse/ir/program.hpp"

namespace dse::frontend {

/// Device memory that an operation reads and writes.
struct Traffic {
    Bytes read;
    Bytes written;
};

/// Every operand once a use and every result, but of slices, updates, gathers and scatters only what they
/// touch. Of a fused kernel its operands as the operations inside read them, and its results, an update in
/// place as the update.
/// Source: XLA, hlo_cost_analysis.cc, and its rules for fusions
Traffic traffic_of(const ir::Program& program, const ir::Operation& operation);

}  // namespace dse::frontend
