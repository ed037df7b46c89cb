#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// FLOPs of a matrix product: 2 × elements of the result × product of the contracted dimensions. Where the
/// contracted dimension of a ragged product is the ragged one, its result has a dimension more, the groups,
/// which share the sum and do not count. 0 where the operands have no sizes.
double product_flops(const Type& lhs, const Type& rhs, const Type& result, const DotDimensions& dot);

/// Pairs of a place in the kernel and a place in the result, along one spatial dimension, whose place in the
/// operand exists: inside it, not in the padding and not in a hole of the dilated operand.
/// \param input, kernel, output  sizes
double valid_positions(std::int64_t input, std::int64_t kernel, std::int64_t output,
                       const WindowDimension& window);

/// FLOPs of a convolution: 2 × input features a group × output features × batch a group × positions, those
/// that are valid or all of the full windows.
struct ConvolutionFlops {
    double valid{0};
    double full{0};
};
ConvolutionFlops convolution_flops(const Type& lhs, const Type& rhs, const Type& result,
                                   const ConvolutionDimensions& convolution);

}  // namespace dse::ir
