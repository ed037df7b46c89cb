#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// The factors of a matrix product, in Shardy's order: batch, the others of lhs, of rhs, contracted ones,
/// which are reductions. Nothing where its dimension numbers do not fit its operands.
std::optional<FactorRule> dot_rule(const Subject& subject);

/// Batch, output features and, where there is one group, input features. A spatial dimension of the input is
/// the product of the number of windows and the window's size, the larger one first; what lies along windows
/// must be whole where it is computed.
std::optional<FactorRule> convolution_rule(const Subject& subject);

/// Dimensions that are reduced are reductions; initial values lie whole.
std::optional<FactorRule> reduce_rule(const Subject& subject);

/// Cholesky factors and triangular systems: batches are parallel, matrices whole.
std::optional<FactorRule> factorization_rule(const Subject& subject);

}  // namespace dse::ir::partition
