#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Makes loops that carry one tuple, as in HLO, carry its members instead. Readers of a tuple's member read
/// the value that the tuple was made of. No operation that does work is changed.
Program with_carried_values(const Program& program);

}  // namespace dse::ir
