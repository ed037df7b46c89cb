#pragma once

#include "dse/base/units.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Makes one collective of several of one kind over the same groups, up to so many bytes of operands: all
/// that are issued before somebody reads the result of one of them, in the place of the last. Waits for them
/// move behind it. A collective that is larger stays alone.
Program bucket_collectives(const Program& program, Bytes largest);

}  // namespace dse::ir
