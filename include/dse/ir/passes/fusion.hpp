#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

enum class FusionLevel : std::uint8_t { elementwise, full };

/// Whether a compiler has already fused kernels.
bool has_fusions(const Program& program);

/// Models what compilers fuse, for programs that have not been fused: operations that would run as one kernel
/// become a fusion with a computation of its own.
///
/// `elementwise`: an operation joins the kernel that reads its result, if that is the only one and covers the
/// same number of elements; a reduction or an in-place update can only be the end of a kernel. Operations
/// that repeat scalars or small arrays (broadcast, iota, constants) are duplicated where they are read.
/// Transposes, conversions and reshapes of a product's operands are read directly by the product.
///
/// `full`: in addition, a kernel continues after a reduction of whole rows that fit on chip (at most 65,536
/// elements each, over the innermost dimensions), so that a softmax or a norm is one kernel; and element-wise
/// operations on a product's result are done before it is written.
///
/// Calls must be inlined first. The operations and their dependencies do not change.
Program fuse(const Program& program, FusionLevel level);

}  // namespace dse::ir
