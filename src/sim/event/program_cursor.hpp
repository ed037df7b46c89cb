#pragma once

#include "dse/graph/program_cursor.hpp"
#include "sim/event/activity.hpp"

namespace dse::sim::event {

/// A value inside a rank's program: its producer, and the signal that it is ready; or only the time when it
/// is ready.
struct Value {
    ActivityPtr producer;  ///< nullptr: the time is known, or there is no value
    double time{0};        ///< if there is no producer
    Signal signal{Signal::value};
    bool exists{false};

    static Value of(ActivityPtr activity, Signal what) { return {std::move(activity), 0, what, true}; }
    static Value at(double when) { return {nullptr, when, Signal::value, true}; }
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
