#pragma once

#include <cstddef>

#include "dse/sim/fold/node_rows.hpp"

namespace dse::sim::fold {

/// Evaluations of one graph that are played side by side, each with durations of its own: their numbers stand
/// beside each other.
inline constexpr std::size_t abreast = 4;

/// out i = max over inputs j of (number i, j) + in j, for each of them. Exact as all sums here, thus the same
/// whatever the instructions that it is compiled to.
/// \param numbers  of the operator: by output, input, evaluation
/// \param in       by input and evaluation
/// \param out      by output and evaluation; apart from `in`
void apply_abreast(const double* numbers, std::size_t inputs, std::size_t outputs, const double* in,
                   double* out);

/// As combine(), for each of them.
/// \param row    by input and evaluation
/// \param width  of all rows: columns times evaluations
void combine_abreast(double* out, const double* row, const double* const* rows, std::size_t count,
                     std::size_t width);

/// Issues a node, for each of them: it starts when its stream is free and its inputs are there, and where it
/// holds the compute stream, when that is free as well.
void issue_abreast(const NodeRows& rows, const WorkTimes<abreast>& times);

}  // namespace dse::sim::fold
