#pragma once

#include <span>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// FLOPs and transcendentals of one operation, by XLA's rules where XLA has the operation:
/// - element-wise: 1 FLOP a result element; XLA's list of transcendental functions: 1 transcendental instead;
/// - reduce: what its function takes × (elements that it is given − elements that it gives); reduce_window:
///   × elements of the result × (window − 1), but for a window that sums up a whole dimension for each of its
///   places; select_and_scatter, map, scatter: their functions, as often as they are applied;
/// - sort: n ⌈log2 n⌉ over all n elements; FFT: 8 × elements × the product of ⌊log2⌋ of its lengths;
/// Cholesky:
///   elements × n / 3; triangular solve: 2 × elements × n; random numbers: 1 transcendental an element;
/// - all_reduce: 1 FLOP an element, as if there were two devices.
/// Kernels that frameworks hand over whole count as what they are made of; see opcodes.def.
/// Movement, bookkeeping and foreign calls take none; what calls computations counts elsewhere.
/// \param function  what the computations that it calls take, one application each
Cost operation_flops(const Program& program, const Operation& operation, std::span<const Cost> functions);

/// Whether both factors of a contraction, or of a foreign call that is one, are complex.
bool is_complex_product(const Program& program, const Operation& operation);

}  // namespace dse::ir
