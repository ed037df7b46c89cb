#pragma once

#include "dse/graph/program_cursor.hpp"
#include "sim/event/activity.hpp"

namespace dse::sim::event {

/// A value inside a rank's program: its producer (nullptr: no value), and the signal that it is ready.
struct Value {
    ActivityPtr producer;
    Signal signal{Signal::value};
};

using Boundary = graph::ProgramBoundary<Value>;
using ProgramCursor = graph::ProgramCursor<Value>;

/// Boundary of a program that is run on its own, when only its allocations are of interest.
class NoBoundary final : public Boundary {
  public:
    Value receive(const graph::Task&, const graph::Peer&) override { return {}; }
    void send(const graph::Task&, const graph::Peer&, const Value&) override {}
};

}  // namespace dse::sim::event
