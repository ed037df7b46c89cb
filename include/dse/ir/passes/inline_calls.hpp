#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// What is inlined.
enum class Inlined : std::uint8_t {
    everything,  ///< calls, composites, named and manual computations
    functions    ///< only calls and named computations without shardings on either side
};

/// Replaces calls and similar operations by what they run, at any depth. Functions applied to elements (such
/// as that of a reduction), fused computations, loops and branches are kept; unreachable computations are
/// dropped. A composite named after a fused attention kernel becomes a call of that kernel, without its
/// decomposition.
/// \throws ProgramError if calls are nested too deeply, if the result has more than 2^21 operations, or if a
///         call's operands or results do not match the called computation
Program inline_calls(const Program& program, Inlined which = Inlined::everything);

/// Whether inline_calls has something to replace.
bool has_calls(const Program& program, Inlined which = Inlined::everything);

}  // namespace dse::ir
