#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Loops that carry one tuple, as HLO's do, carry its members, and who reads a member of a tuple that is made
/// where it stands reads what the tuple was made of. Nothing that does work changes.
Program with_carried_values(const Program& program);

}  // namespace dse::ir
