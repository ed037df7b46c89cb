#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// The factors of a matrix product, in Shardy's order: batch, other dimensions of lhs, of rhs, and contracted
/// ones, which are reductions. Nothing if its dimension numbers do not fit its operands.
std::optional<FactorRule> dot_rule(const Subject& subject);

/// The factors of a convolution: batch, output features and, if there is a single group, input features. A
/// spatial dimension of the input is the product of the number of windows and the window's size, the larger
/// one first; neither is partitioned in the computation.
std::optional<FactorRule> convolution_rule(const Subject& subject);

/// Reduced dimensions are reductions; initial values are replicated.
std::optional<FactorRule> reduce_rule(const Subject& subject);

/// Cholesky factorizations and triangular systems: batches are parallel, matrices are not partitioned.
std::optional<FactorRule> factorization_rule(const Subject& subject);

}  // namespace dse::ir::partition
