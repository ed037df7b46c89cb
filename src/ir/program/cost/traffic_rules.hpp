#pragma once

#include "dse/ir/program/cost/operation_traffic.hpp"

namespace dse::ir::traffic {

/// What an operation reads and writes, by XLA's rules where XLA has some.
/// Source: XLA, hlo_cost_analysis.cc
using Rule = Traffic(const Program& program, const Operation& operation);

Rule none;
Rule whole;     ///< all operands, of a tuple its table of pointers, and all results
Rule result;    ///< the results are written
Rule pointers;  ///< a tuple's table is written
Rule slice;     ///< as much is read as is written
Rule rows;      ///< likewise, with the indices in the second operand
Rule update;    ///< in place: the second operand, at the indices behind it
Rule scatter;   ///< in place: the third operand, at the indices in the second
Rule transpose;
Rule triangular_solve;
Rule one_triangle;  ///< of a matrix one half, in place

}  // namespace dse::ir::traffic
