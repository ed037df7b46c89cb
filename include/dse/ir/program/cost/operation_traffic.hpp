#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Bytes moved between the device's memory and its processors.
struct Traffic {
    double read{0};
    double written{0};
    [[nodiscard]] double bytes() const { return read + written; }
};

/// Memory traffic of an operation by XLA's rules: it writes its results and reads each operand as often as it
/// occurs (a tuple as its table of pointers), except that
/// - operations that only name or group values (parameter, constant, get_tuple_element, bitcast, views, …)
///   move nothing, a tuple its table of pointers;
/// - PyTorch's slice, transpose and reshape are views, too;
/// - operations that select elements (slice, dynamic_slice, gather, index_select) read as much as they write,
///   plus their indices;
/// - operations that update elements in place (dynamic_update_slice, scatter) read and write only those;
/// - a transpose that does not change the memory layout moves nothing;
/// - a triangular solve reads half of its matrix, a Cholesky factorization reads and writes half of it.
/// Operations that call computations (while, fusion, call, …) and foreign calls are counted elsewhere and
/// move nothing here.
/// Source: XLA, hlo_cost_analysis.cc
Traffic operation_traffic(const Program& program, const Operation& operation);

/// Bytes of all operands, each as often as it occurs; of a tuple those of its elements.
double operand_bytes(const Program& program, const Operation& operation);

}  // namespace dse::ir
