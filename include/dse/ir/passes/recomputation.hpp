#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// What the backward pass recomputes instead of keeping it from the forward pass.
enum class Recomputation : std::uint8_t {
    selective,  ///< everything except checkpoints and results of products, fused attention and collectives
    full        ///< everything except checkpoints
};

/// Drops values that live from the forward to the backward pass of a training step. The operations that
/// compute them, back to values that are kept, are copied to before the first operation after the turn that
/// reads them. Copies are marked Operation::repeats, unless nothing else read the original, which is then
/// removed. The turn from forward to backward is where the most values are alive.
///
/// Checkpoints are the values that the forward pass continues with at some positions, chosen for the least
/// memory by Chen's algorithm. For a given budget it goes through the forward pass and, in each segment in
/// which that many bytes would be dropped, chooses the position with the fewest bytes carried on; the best of
/// several budgets is taken. Values computed after the last position are not dropped.
///
/// Only the straight line of the entry is considered. Values that loops, branches, regions and foreign calls
/// produce or read are kept, and so are table look-ups, random numbers, parameters and results. All
/// operations keep their operands.
/// Source: Korthikanti et al. 2022 (arXiv 2205.05198), selective; Chen et al. 2016 (arXiv 1604.06174),
/// algorithm 3
Program recompute(const Program& program, Recomputation what);

}  // namespace dse::ir
