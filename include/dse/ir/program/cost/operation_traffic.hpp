#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Bytes that an operation moves between the device's memory and its processors.
struct Traffic {
    double read{0};
    double written{0};
    [[nodiscard]] double bytes() const { return read + written; }
};

/// What one operation reads and writes, by XLA's rules: its results and each of its operands, as often as it
/// is named (a tuple as its table of pointers), except that
/// - names and groups of values (parameter, constant, get_tuple_element, bitcast, views, …) take none, a
///   tuple its table of pointers;
/// - PyTorch's slice, transpose and reshape are views, too;
/// - what picks elements reads as much as it writes: slice, dynamic_slice, gather, index_select, with their
///   indices;
/// - what updates elements in place reads and writes those: dynamic_update_slice, scatter;
/// - a transpose that leaves memory as it is takes none;
/// - a triangular solve reads half of its matrix, a Cholesky factorisation reads and writes half of its.
/// What calls computations (while, fusion, call, …) and foreign calls count elsewhere: none.
/// Source: XLA, hlo_cost_analysis.cc
Traffic operation_traffic(const Program& program, const Operation& operation);

/// Bytes of all operands, each as often as it is named; of a tuple those of its elements.
double operand_bytes(const Program& program, const Operation& operation);

}  // namespace dse::ir
