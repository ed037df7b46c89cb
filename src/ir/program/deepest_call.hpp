#pragma once

namespace dse::ir {

/// Maximum nesting of calls: deeper than in any program; limits the use of the stack.
inline constexpr int deepest_call = 2000;

}  // namespace dse::ir
