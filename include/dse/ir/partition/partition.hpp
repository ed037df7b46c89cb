#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// The program that one device of the mesh runs. Shardings are propagated to all values (over factors, as in
/// Shardy), every operation computes its local part, and collectives are inserted where the layout of an
/// array differs from the one an operation needs, or where an operation leaves partial results. If the arrays
/// of an operation disagree, it runs with the layout that costs the fewest bytes of communication. Parts that
/// do not divide evenly are padded. The share of an operation's FLOPs that is neither padding nor duplicated
/// on several devices is in its model_share.
///
/// These operations are partitioned: element-wise operations, constants, iota, broadcast, transpose, reshape
/// (compound factors), dot, reduce, convolution over batch and features, gather and scatter, slices, pads,
/// concatenation, sort, fft and windows along other dimensions than theirs, while, call, conditional, tuples,
/// and manual computations whose axes are all of the mesh's. All-reduces that only a slice reads are kept:
/// turning them into reduce-scatters is a pass of its own. Shardings may refer to several meshes of the same
/// devices in the same order if, of any two, one refines the other.
///
/// \pre !program.partitioned
/// \throws ModelError naming the operation and its line if it cannot be partitioned, and what to do instead
/// Source: Shardy, passes propagation, insert-explicit-reshards, reshard-to-collectives,
/// convert-global-to-local
Program partitioned(const Program& program);

}  // namespace dse::ir
