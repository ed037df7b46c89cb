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

/// A program without a world around it: only what it allocates is asked for.
class NoBoundary final : public Boundary {
  public:
    Value receive(const workload::Task&, const workload::Peer&) override { return {}; }
    void send(const workload::Task&, const workload::Peer&, const Value&) override {}
};

}  // namespace dse::sim::event
