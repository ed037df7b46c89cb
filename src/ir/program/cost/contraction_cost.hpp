#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// FLOPs of a matrix product: 2 × elements of the result × product of the contracted dimensions. If the
/// contracted dimension of a ragged product is the ragged one, its result has an additional dimension, the
/// groups, which share the sum and are not counted. 0 if the operands have no sizes.
double product_flops(const Type& lhs, const Type& rhs, const Type& result, const DotDimensions& dot);

/// Number of pairs of a kernel position and a result position, along one spatial dimension, that access an
/// actual element of the operand: neither padding nor a gap of the dilated operand.
/// \param input, kernel, output  sizes
double valid_positions(std::int64_t input, std::int64_t kernel, std::int64_t output,
                       const WindowDimension& window);

/// FLOPs of a convolution: 2 × input features per group × output features × batch per group × positions,
/// either only the valid ones or those of full windows.
struct ConvolutionFlops {
    double valid{0};
    double full{0};
};
ConvolutionFlops convolution_flops(const Type& lhs, const Type& rhs, const Type& result,
                                   const ConvolutionDimensions& convolution);

}  // namespace dse::ir
