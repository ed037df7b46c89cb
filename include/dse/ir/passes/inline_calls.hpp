#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// What inlining enters.
enum class Inlined : std::uint8_t {
    everything,  ///< calls, composites, named and manual computations
    functions    ///< calls, and named computations, of which neither side states a sharding
};

/// Puts what calls and their like run in their place, however deeply they are nested. What operations apply
/// to elements (the function of a reduction), fused computations, loops and branches stay what they are;
/// computations that nobody reaches any more are left out. A composite that names a kernel of fused attention
/// becomes a call of that kernel, without its decomposition.
/// \throws ProgramError where calls are nested too deeply, where they make more than 2^21 operations, and
/// where a call's operands or results do not fit what it calls
Program inline_calls(const Program& program, Inlined which = Inlined::everything);

}  // namespace dse::ir
