#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// The program that one device of the mesh runs: shardings are spread over all values (propagation over
/// factors, as Shardy has them), every operation computes its local part, and where its arrays lie otherwise
/// than it needs, or leaves partial results, collectives stand. An operation whose arrays disagree runs with
/// the layout that costs the fewest bytes of communication. Parts that do not divide are padded. What of an
/// operation's FLOPs is padding, or done by several devices each for itself, is in its model_share.
///
/// Partitioned are: element-wise operations, constants, iota, broadcast, transpose, reshape (compound
/// factors), dot, reduce, convolution over batch and features, gather and scatter, slices, pads,
/// concatenation, sort, fft and windows along other dimensions than theirs, while, call, conditional, tuples,
/// and manual computations whose axes are all of the mesh's. All-reduces that only a slice reads are left so:
/// making them reduce-scatters is a pass. Shardings may name several meshes of the same devices in the same
/// order, where one of any two refines the other.
///
/// \pre !program.partitioned
/// \throws ModelError naming the operation and its line where it cannot be partitioned, and what to do
/// instead Source: Shardy, passes propagation, insert-explicit-reshards, reshard-to-collectives,
/// convert-global-to-local
Program partitioned(const Program& program);

}  // namespace dse::ir
