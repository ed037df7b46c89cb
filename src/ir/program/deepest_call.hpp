#pragma once

namespace dse::ir {

/// Calls in each other: deeper than any program has them, and no deeper than the stack allows.
inline constexpr int deepest_call = 2000;

}  // namespace dse::ir
