#pragma once

#include <span>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// FLOPs and transcendentals of one operation, by XLA's rules if XLA has the operation:
/// - element-wise: 1 FLOP per result element; operations in XLA's list of transcendental functions: 1
///   transcendental instead;
/// - reduce: cost of its function × (input elements − output elements); reduce_window: × elements of the
///   result × (window − 1), except for a window that sums a whole dimension at each of its positions;
///   select_and_scatter, map, scatter: cost of their functions, as often as they are applied;
/// - sort: n ⌈log2 n⌉ over all n elements; FFT: 8 × elements × the product of ⌊log2⌋ of its lengths;
///   Cholesky: elements × n / 3; triangular solve: 2 × elements × n; random numbers: 1 transcendental per
///   element;
/// - all_reduce: 1 FLOP per element, as if there were two devices.
/// Fused kernels of frameworks are counted by their components; see opcodes.def. Movement, bookkeeping and
/// foreign calls count none; operations that call computations are counted elsewhere.
/// \param function  costs of the computations that it calls, for one application each
Cost operation_flops(const Program& program, const Operation& operation, std::span<const Cost> functions);

/// Whether both factors of a contraction, or of a foreign call of one, are complex.
bool is_complex_product(const Program& program, const Operation& operation);

}  // namespace dse::ir
