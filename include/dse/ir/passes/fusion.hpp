#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

enum class FusionLevel : std::uint8_t { elementwise, full };

/// Whether a compiler has fused kernels already.
bool has_fusions(const Program& program);

/// A model of what compilers fuse, for programs that none has fused: what would run as one kernel becomes a
/// fusion of a computation of its own.
///
/// `elementwise`: an operation joins the kernel that reads its result where that kernel is the only one and
/// goes over as many elements; a reduction, or an update in place, can only be a kernel's end. What repeats
/// scalars or small arrays (broadcast, iota, constants) is made where it is read. Transposes, conversions and
/// reshapes of a product's operands are read by the product as they lie.
///
/// `full`: moreover a kernel goes on behind a reduction of whole rows that fit on chip (at most 65,536
/// elements each, the innermost dimensions), so that a softmax or a norm is one kernel; and what is done to
/// the elements of a product's result is done before it is written.
///
/// Calls are to be inlined first. Operations are those that were there, with the same dependencies.
Program fuse(const Program& program, FusionLevel level);

}  // namespace dse::ir
