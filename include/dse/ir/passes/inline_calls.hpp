#pragma once

#include "dse/ir/program.hpp"

namespace dse::ir {

/// Puts what calls, composites, named and manual computations run in their place, however deeply they are
/// nested. What operations apply to elements (the function of a reduction), fused computations, loops and
/// branches stay what they are; computations that nobody reaches any more are left out.
/// \throws ModelError where calls are nested too deeply
Program inline_calls(const Program& program);

}  // namespace dse::ir
