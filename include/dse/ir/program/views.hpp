#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Whether an operation only gives existing memory another name: with other sizes, or another type of equal
/// width. In a framework's program (FX), whose arrays have strides, also a slice or a permutation of the
/// dimensions.
bool is_view(const Program& program, const Operation& operation);

}  // namespace dse::ir
