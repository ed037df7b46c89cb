#pragma once

#include <cstddef>

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

}  // namespace dse::sim::fold
