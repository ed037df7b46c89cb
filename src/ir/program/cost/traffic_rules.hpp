#pragma once

#include "dse/ir/program/cost/operation_traffic.hpp"

namespace dse::ir::traffic {

/// Memory traffic of an operation, by XLA's rules if XLA has any for it.
/// Source: XLA, hlo_cost_analysis.cc
using Rule = Traffic(const Program& program, const Operation& operation);

Rule none;
Rule whole;     ///< all operands, tuples as their table of pointers, and all results
Rule result;    ///< only the results are written
Rule pointers;  ///< only a tuple's table is written
Rule slice;     ///< reads as much as it writes
Rule rows;      ///< the same, plus the indices in the second operand
Rule update;    ///< in place: the second operand, at the indices that follow it
Rule scatter;   ///< in place: the third operand, at the indices in the second
Rule transpose;
Rule triangular_solve;
Rule one_triangle;  ///< half of a matrix, in place

}  // namespace dse::ir::traffic
