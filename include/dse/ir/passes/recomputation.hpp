#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// What of the forward pass is made again where the backward pass reads it.
enum class Recomputation : std::uint8_t {
    selective,  ///< everything but checkpoints and what products, fused attention and collectives make
    full        ///< everything but checkpoints
};

/// Drops values that live from a training step's forward pass to its backward pass. What makes them is copied
/// in front of the first operation behind the turn that reads them, with what that follows from, back to
/// values that are kept; copies are marked Operation::repeats, unless nothing else read the first one, which
/// is then left out. The turn is where most values are alive.
///
/// Checkpoints are what the forward pass goes on with at some places: those that need the least memory under
/// Chen's algorithm. It goes through the pass, and of each stretch in which a budget of bytes would be
/// dropped takes the place where the least is carried on; of some budgets the best is taken. What is made
/// behind the last place is not dropped.
///
/// The straight line of the entry is looked at: what loops, branches, regions and foreign calls make or read
/// is kept, and so are rows of tables, random numbers, parameters and results. Everything is still made from
/// the same operands. Source: Korthikanti et al. 2022 (arXiv 2205.05198), selective; Chen et al. 2016 (arXiv
/// 1604.06174), algorithm 3
Program recompute(const Program& program, Recomputation what);

}  // namespace dse::ir
