#pragma once

#include "dse/graph/program_cursor.hpp"
#include "sim/event/activity.hpp"

namespace dse::sim::event {

/// A value inside a rank's program: who makes it, and which signal says that it is there. Null: none.
struct Value {
    ActivityPtr producer;
    Signal signal{Signal::value};
};

using Boundary = graph::ProgramBoundary<Value>;
using ProgramCursor = graph::ProgramCursor<Value>;

/// A program without a world around it: only what it allocates is asked for.
class NoBoundary final : public Boundary {
  public:
    Value receive(const graph::Task&, const graph::Peer&) override { return {}; }
    void send(const graph::Task&, const graph::Peer&, const Value&) override {}
};

}  // namespace dse::sim::event
