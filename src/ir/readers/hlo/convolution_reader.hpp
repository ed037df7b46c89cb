#pragma once

#include <vector>

#include "instruction_draft.hpp"
#include "scanner.hpp"

namespace dse::ir::hlo {

/// `{size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x0}`
std::vector<WindowDimension> read_window(Scanner& scanner);

/// `b01f_01io->b01f`: of the operand, the kernel and the result.
void read_dimension_labels(Scanner& scanner, ConvolutionDimensions& convolution);

/// `{[0:2], [1:5:2]}`
SliceRanges read_slice(Scanner& scanner);

/// `0_0x1_1_0`: low, high, interior
PadSizes read_padding(Scanner& scanner);

/// Where the dimension numbers of a convolution are stored; nullptr for other instructions.
ConvolutionDimensions* convolution_of(InstructionDraft& draft);

}  // namespace dse::ir::hlo
