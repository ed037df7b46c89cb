#pragma once

#include "ir/program/cost/counted.hpp"

namespace dse::ir::flops {

/// Computation of an operation, by XLA's rules if XLA has any for it.
/// Source: XLA, HloCostAnalysis
using Rule = Cost(const Counted& of);

inline constexpr Rule* none{nullptr};

// element_flops.cpp
Rule by_result;   ///< one FLOP per element of the results
Rule by_operand;  ///< one FLOP per element of the operands
Rule evaluated;   ///< one transcendental function per element of the results

/// FLOPs and transcendentals per element of the first operand.
template <int flops, int transcendentals>
Cost an_element(const Counted& of) {
    Cost cost;
    cost.flops = flops * of.elements(0);
    cost.transcendentals = transcendentals * of.elements(0);
    return cost;
}

// contraction_flops.cpp
Rule product;
Rule convolution;
Rule convolution_backward;
Rule triangular_solve;
Rule cholesky;

// kernel_flops.cpp
Rule attention;
Rule attention_backward;
Rule sort;
Rule fft;

// reduction_flops.cpp
Rule reduce;
Rule map;
Rule scatter;
Rule reduce_window;
Rule select_and_scatter;

}  // namespace dse::ir::flops
