#pragma once

#include "dse/sim/event/activity.hpp"
#include "dse/workload/program_cursor.hpp"

namespace dse::sim::event {

/// A value inside a rank's program: who makes it, and which signal says that it is there. Null: none.
struct Value {
    ActivityPtr producer;
    Signal signal{Signal::value};
};

using Boundary = workload::ProgramBoundary<Value>;
using ProgramCursor = workload::ProgramCursor<Value>;

}  // namespace dse::sim::event
