#pragma once

#include "dse/base/units.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Combines collectives of the same kind over the same groups into one, up to `largest` bytes of operands:
/// all that are issued before the result of any of them is read, at the position of the last one. Waits for
/// them move after it. A collective that is larger is not combined.
Program bucket_collectives(const Program& program, Bytes largest);

}  // namespace dse::ir
