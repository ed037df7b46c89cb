#pragma once

#include <optional>

#include "dse/graph/work.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// The matrix product that an operation computes. For dot and similar operations it follows from their
/// dimension numbers (without any, the last dimension of the left operand is contracted with the second to
/// last of the right); a convolution is treated as an implicit GEMM (m = images × output positions,
/// n = output features, k = window × input features, batch = groups).
/// \return none if the operation is not a contraction, or its shapes are not known
/// Source: Chetlur et al. 2014 (arXiv 1410.0759), section 3 (convolution as a matrix product)
std::optional<graph::GemmShape> gemm_shape(const ir::Program& program, const ir::Operation& operation);

}  // namespace dse::frontend
