#pragma once

#include "ir/program/faults/shape_subject.hpp"

namespace dse::ir::faults {

/// Why the types of an operation contradict each other or its attribute; nothing if they do not. Unstated
/// types and dynamic sizes never contradict anything. Precondition of all: count_fault finds nothing.
/// Source: StableHLO specification, the constraints of each operation; XLA's shape inference and HLO
/// verifier, if stated where they differ
using ShapeCheck = Fault(const ShapeSubject& subject);

/// For operations whose result does not follow from their operands.
inline constexpr ShapeCheck* none{nullptr};

// elementwise_fault.cpp
ShapeCheck elementwise_fault;

// movement_fault.cpp
ShapeCheck broadcast_fault;
ShapeCheck reshape_fault;
ShapeCheck bitcast_convert_fault;
ShapeCheck transpose_fault;
ShapeCheck concatenate_fault;
ShapeCheck reverse_fault;
ShapeCheck iota_fault;
ShapeCheck dimension_size_fault;
ShapeCheck copy_fault;

// slice_fault.cpp
ShapeCheck slice_fault;
ShapeCheck dynamic_slice_fault;
ShapeCheck dynamic_update_slice_fault;
ShapeCheck pad_fault;

// contraction_fault.cpp
ShapeCheck dot_fault;
ShapeCheck cholesky_fault;
ShapeCheck triangular_solve_fault;

// window_fault.cpp
ShapeCheck convolution_fault;
ShapeCheck reduce_window_fault;
ShapeCheck select_and_scatter_fault;

// reduction_fault.cpp
ShapeCheck reduce_fault;
ShapeCheck map_fault;
ShapeCheck sort_fault;

// indexed_fault.cpp
ShapeCheck gather_fault;
ShapeCheck scatter_fault;

// collective_fault.cpp
ShapeCheck all_reduce_fault;
ShapeCheck all_gather_fault;
ShapeCheck reduce_scatter_fault;
ShapeCheck all_to_all_fault;
ShapeCheck permute_fault;
ShapeCheck paired_fault;
ShapeCheck all_gather_start_fault;
ShapeCheck permute_start_fault;
ShapeCheck done_fault;

// tuple_fault.cpp
ShapeCheck tuple_fault;
ShapeCheck element_fault;

// control_fault.cpp
ShapeCheck while_fault;
ShapeCheck call_fault;
ShapeCheck conditional_fault;

}  // namespace dse::ir::faults
